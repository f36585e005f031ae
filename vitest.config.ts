import { defineConfig } from "vitest/config";

/** Tests that start processes (API server, Azurite, broker) run in their own project, one file after another. */
const stack = ["test/e2e/**/*.test.ts", "test/contracts/**/*.test.ts"];

export default defineConfig({
  test: {
    reporters: ["default", ["json", { outputFile: ".vitest/results.json" }]],
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: stack,
          setupFiles: ["test/support/checkAtRest.ts"],
          pool: "threads",
          testTimeout: 60_000,
          // Looking at the worlds of a test for rest takes its time too (`checkAtRest.ts`).
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "stack",
          include: stack,
          pool: "forks",
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 1_800_000,
          // Real processes on a machine that others load too: CI tries once more, and the report says so.
          retry: process.env["CI"] === "true" ? 1 : 0,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
