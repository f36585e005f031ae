import { Type } from "typebox";
import { Value } from "typebox/value";
import { parseJson } from "./parseJson.ts";
import { secretText } from "./secretText.ts";

const shape = Type.Object({ client_id: Type.String(), tenant_id: Type.String(), client_secret: Type.String() });

/** A user-assigned identity whose certificate a host platform keeps in a file. */
export interface ManagedIdentityFile {
  readonly clientId: string;
  readonly tenantId: string;
  /** PEM, or PKCS #12 in Base64. */
  readonly certificate: string;
}

/**
 * The credential in the JSON file that the managed-identity data plane writes. Its authentication endpoint is not used:
 * the cloud says where tokens come from. Undefined when the file has another form.
 */
export const parseManagedIdentityFile = (text: string): ManagedIdentityFile | undefined => {
  const value = parseJson(text);
  if (!Value.Check(shape, value)) return undefined;
  const certificate = secretText(Buffer.from(value.client_secret, "base64"));
  return { clientId: value.client_id, tenantId: value.tenant_id, certificate };
};
