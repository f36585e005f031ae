import type { CredentialSpec } from "../core/identity.ts";
import type { Result } from "../core/types.ts";
import type { Arm, Azure } from "../ports.ts";
import { armOver } from "./arm.ts";
import { type ArmHttpOptions, openArmHttp } from "./armHttp.ts";
import { armToken } from "./armToken.ts";
import { clouds } from "./clouds.ts";
import type { Credentials } from "./credentials.ts";

export interface AzureOptions extends Omit<ArmHttpOptions, "cloud" | "token"> {
  readonly credentials: Credentials;
}

/** Connections that are kept, each with its token. */
const mostKept = 256;

/** The port to Azure: one connection for each identity and secret. */
export const azure = ({ credentials, ...options }: AzureOptions): Azure => {
  const kept = new Map<string, Promise<Arm>>();
  const open = async (spec: CredentialSpec): Promise<Result<Arm>> => {
    const found = await credentials.get(spec);
    if (!found.ok) return found;
    const { key, credential } = found.value;
    const cloud = clouds[spec.cloud];
    const arm =
      kept.get(key) ?? openArmHttp({ ...options, cloud, token: armToken(credential, cloud.tokenScope) }).then(armOver);
    kept.set(key, arm);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return { ok: true, value: await arm };
  };
  return { connect: open };
};
