import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Failure, Result } from "../core/types.ts";
import { notAllowed } from "./credentialRules.ts";
import { secretText } from "./secretText.ts";

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "unknown");

const unreadable = (identity: string, error: unknown): Failure => ({
  kind: "auth",
  code: "CredentialFileUnreadable",
  message: `AzureClusterIdentity ${identity}: its credential file cannot be read (${codeOf(error)})`,
});

/**
 * The content of a credential file by `secretText`, if it lies in the folder after all links are resolved. Failure codes:
 * `IdentityNotAllowed` for any other place, whether or not something is there; `CredentialFileUnreadable`. No failure
 * holds content.
 */
export const readCredentialFile = async (
  identity: string,
  path: string,
  folder: string | undefined,
): Promise<Result<string>> => {
  if (folder === undefined) {
    return { ok: false, error: notAllowed(identity, "this installation reads no credential files") };
  }
  const outside: Result<never> = {
    ok: false,
    error: notAllowed(identity, "its credential file lies outside the folder for credential files"),
  };
  if (!isInside(resolve(folder), resolve(folder, path))) return outside;
  try {
    const real = await realpath(resolve(folder, path));
    if (!isInside(await realpath(folder), real)) return outside;
    return { ok: true, value: secretText(await readFile(real)) };
  } catch (error) {
    return { ok: false, error: unreadable(identity, error) };
  }
};
