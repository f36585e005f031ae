import { describe } from "vitest";
import { useScene } from "../support/e2e/scene.ts";
import { badInputScenarios } from "./scenarios/badInput.ts";
import { classScenarios } from "./scenarios/classes.ts";
import { endingScenarios } from "./scenarios/endings.ts";
import { interruptionScenarios } from "./scenarios/interruptions.ts";
import { otherWriterScenarios } from "./scenarios/otherWriters.ts";
import { replayScenarios } from "./scenarios/replays.ts";
import { settledScenarios } from "./scenarios/settled.ts";
import { templateScenarios } from "./scenarios/templates.ts";

/** Capstan as a whole: API server with Cluster API, watcher, queue, function app, tables and a simulated Azure. */
describe("the full local stack", () => {
  const scene = useScene({ azure: { retryAfterSeconds: 1 }, settings: { CAPSTAN_LOG_LEVEL: "debug" } });
  templateScenarios(scene);
  settledScenarios(scene);
  classScenarios(scene);
  otherWriterScenarios(scene);
  endingScenarios(scene);
  badInputScenarios(scene);
  replayScenarios(scene);
  interruptionScenarios(scene);
});
