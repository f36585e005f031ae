import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exitWithParent } from "../process/exitWithParent.ts";

/** The parts of Azurite in use; it has no types and no documented way to run tables alone on a free port. */
interface TableServer {
  start(): Promise<void>;
  close(): Promise<void>;
  getHttpServerAddress(): string;
}
interface AzuriteModules {
  readonly TableServer: new (configuration: object) => TableServer;
  readonly TableConfiguration: new (...args: readonly unknown[]) => object;
  readonly EMULATOR_ACCOUNT_NAME: string;
  readonly EMULATOR_ACCOUNT_KEY: Buffer;
}

const loadAzurite = (): AzuriteModules => {
  const require = createRequire(import.meta.url);
  return {
    TableServer: require("azurite/dist/src/table/TableServer.js").default,
    TableConfiguration: require("azurite/dist/src/table/TableConfiguration.js").default,
    ...require("azurite/dist/src/common/utils/constants.js"),
  };
};

const configure = ({ TableConfiguration }: AzuriteModules, port: number, persistTo: string | undefined): object => {
  const keepAliveSeconds = 5;
  const file = persistTo === undefined ? "" : join(persistTo, "tables.json");
  const noLogs = [false, false, undefined, undefined] as const;
  const [strict, anyApiVersion] = [false, true];
  const noTls = ["", "", "", undefined] as const;
  const inMemory = persistTo === undefined;
  return new TableConfiguration(
    "127.0.0.1",
    port,
    keepAliveSeconds,
    file,
    ...noLogs,
    strict,
    anyApiVersion,
    ...noTls,
    false,
    inMemory,
  );
};

const { values: flags } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "persist-to": { type: "string" },
    "exit-with-parent": { type: "boolean", default: false },
  },
});
const persistTo = flags["persist-to"];
if (persistTo !== undefined) mkdirSync(persistTo, { recursive: true });

const azurite = loadAzurite();
const server = new azurite.TableServer(configure(azurite, Number(flags.port), persistTo));
const leave = (): void => {
  // Closing writes what is kept in the folder; a connection that stays open must not hold it up.
  setTimeout(() => process.exit(0), 3_000);
  void server.close().finally(() => process.exit(0));
};
await server.start();
process.once("SIGTERM", leave);
if (flags["exit-with-parent"]) exitWithParent(leave);
const accountName = azurite.EMULATOR_ACCOUNT_NAME;
const accountKey = azurite.EMULATOR_ACCOUNT_KEY.toString("base64");
process.stdout.write(
  `${JSON.stringify({ url: `${server.getHttpServerAddress()}/${accountName}`, accountName, accountKey })}\n`,
);
