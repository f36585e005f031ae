import { afterEach } from "vitest";
import { expectAllAtRest } from "./atRest.ts";

/** Of every unit test: whatever worlds it made are at rest in the end, or it says why they are not. */
afterEach(expectAllAtRest);
