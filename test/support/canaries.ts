import { historyJson, historyTable } from "../../src/cli/operate/historyTable.ts";
import { decodeHistory } from "../../src/engine/historyRow.ts";
import type { TableName } from "../../src/ports.ts";
import type { World } from "./world.ts";

/** Texts that stand for secrets: wherever one turns up, a secret has leaked. */
export const canaries = {
  clientSecret: "canary-client-secret-7f3a",
  certificate: "-----BEGIN PRIVATE KEY-----\nCanaryKeyMIIEvQIBADANBgkqhkiG\n-----END PRIVATE KEY-----\n",
  certificatePassword: "canary-pfx-password",
  bootstrap: "#cloud-config\nwrite_files: [{content: canary-bootstrap-token-abcdef}]\n",
  adminPassword: 'canary-Admin"Pass\\word1!',
  userData: "canary-user-data-0123456789",
  protectedSettings: "canary-extension-setting",
  servicePrincipal: "canary-aks-service-principal",
  windowsPassword: "canary-Windows-Pass1!",
  proxyCredentials: "canary-proxy-user:canary-proxy-password",
  sshPrivateKey: "canary-ssh-private-key-AAAAC3NzaC1lZDI1NTE5",
} as const;

/** The telling part of each, in every spelling in which it may be found. */
export const traces: readonly string[] = [
  "canary",
  "Canary",
  ...Object.values(canaries).flatMap((value) => [
    Buffer.from(value).toString("base64").slice(0, 24),
    encodeURIComponent(value).slice(0, 24),
  ]),
].filter((text) => text.length > 5);

const names: readonly TableName[] = ["state", "history", "index", "shared", "orphans"];

/** All that a world has written down or said anywhere but in specs, where users put things themselves. */
export const everythingSaid = (world: World): ReadonlyMap<string, string> => {
  const now = world.clock.nowMs();
  const history = world.tables.rows("history").map(decodeHistory);
  return new Map([
    ...names.map((name) => [`table ${name}`, JSON.stringify(world.tables.rows(name))] as const),
    ["queue reconcile", JSON.stringify(world.queue.reconcile.peek(now, 0, 10_000))],
    ["queue failed", JSON.stringify(world.queue.failed.peek(now, 0, 10_000))],
    ["log", JSON.stringify(world.logs)],
    ["objects", JSON.stringify(world.objects.all().map(({ metadata, status }) => ({ metadata, status })))],
    ["events", JSON.stringify(world.objects.events())],
    ["capstan history", [...historyTable(history, true), ...historyTable(history, false)].join("\n")],
    ["capstan history -o json", JSON.stringify(historyJson(history))],
  ]);
};

/** Where a canary turned up, and a little of what stands around it. */
export const leaks = (said: ReadonlyMap<string, string>): readonly string[] =>
  [...said].flatMap(([where, text]) =>
    traces.flatMap((trace) => {
      const at = text.indexOf(trace);
      return at < 0 ? [] : [`${where}: …${text.slice(Math.max(0, at - 80), at + 60)}…`];
    }),
  );
