import type { Expression } from "./celEnvironment.ts";

/** A longer message is not taken, https://kubernetes.io/docs/reference/using-api/cel/. */
const mostBytes = 5120;

/** What a message expression says; undefined when it says nothing that can be shown, and the plain message stands. */
export const celMessage = (
  words: Expression | undefined,
  variables: Readonly<Record<string, unknown>>,
): string | undefined => {
  const said = words?.(variables);
  if (said?.ok !== true || typeof said.value !== "string") return undefined;
  const text = said.value.trim();
  return text === "" || text.includes("\n") || new TextEncoder().encode(text).length > mostBytes ? undefined : text;
};
