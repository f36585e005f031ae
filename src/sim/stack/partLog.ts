import { appendFileSync } from "node:fs";

/** A place for the lines of one program: a file that is complete whenever somebody looks, also after a crash. */
export const partLog =
  (file: string) =>
  (line: string): void => {
    try {
      appendFileSync(file, `${line}\n`);
    } catch {
      // The folder goes at the end, and a last line may come after it.
    }
  };
