import { tables } from "../../adapters/tables.ts";
import { platformCredential } from "../../adapters/tokenCredential.ts";
import { readTables } from "../../config.ts";
import type { Tables } from "../../ports.ts";
import { UserError } from "../userError.ts";
import type { Env } from "./settings.ts";

/** The function app's tables, by its own settings; an endpoint is reached as whoever `az login` knows. */
export const openStore = async (env: Env): Promise<Tables> => {
  const source = readTables(env);
  if (!source.ok)
    throw new UserError(
      `where the tables are is not set: ${source.error.join("; ")} (in the environment or in the file that --settings names)`,
      2,
    );
  const { value } = source;
  return tables({
    source: value.kind === "connectionString" ? value : { ...value, credential: await platformCredential() },
  });
};
