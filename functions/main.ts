// The first import registers a function: an error in a later one then fails the app's start with its message.
import "./health.ts";
import "./reconcile.ts";
import "./resync.ts";
import "./drift.ts";
import "./replay.ts";
