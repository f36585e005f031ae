import type { CloudName, CredentialSpec } from "../core/identity.ts";
import type { Failure, Result } from "../core/types.ts";
import { certificateForm } from "./certificateForm.ts";
import { readCredentialFile } from "./credentialFiles.ts";
import { parseManagedIdentityFile } from "./managedIdentityFile.ts";

/** What a credential is made of, after files have been read. */
export type Material = { readonly cloud: CloudName; readonly tenantId: string; readonly clientId: string } & (
  | { readonly kind: "workloadIdentity" }
  | { readonly kind: "managedIdentity" }
  | { readonly kind: "clientSecret"; readonly secret: string }
  /** PEM, or PKCS #12 in Base64. */
  | { readonly kind: "certificate"; readonly secret: string; readonly password?: string }
);

export const unusable = (identity: string, why: string): Failure => ({
  kind: "auth",
  code: "CredentialUnusable",
  message: `AzureClusterIdentity ${identity}: ${why}`,
});

const fromFile = async (
  spec: CredentialSpec & { readonly path: string },
  folder: string | undefined,
): Promise<Result<Material>> => {
  const content = await readCredentialFile(spec.identity, spec.path, folder);
  if (!content.ok) return content;
  const { cloud, clientId, tenantId, identity } = spec;
  if (spec.kind === "certificateFile") {
    return { ok: true, value: { kind: "certificate", cloud, clientId, tenantId, secret: content.value } };
  }
  const file = parseManagedIdentityFile(content.value);
  if (file === undefined) return { ok: false, error: unusable(identity, "its credential file has another form") };
  const { certificate: secret, ...pair } = file;
  return { ok: true, value: { kind: "certificate", cloud, ...pair, secret } };
};

/** Reads the file that a spec names, each time anew. `folder`: the one that files are read from. */
export const materialOf = async (spec: CredentialSpec, folder: string | undefined): Promise<Result<Material>> => {
  const { cloud, clientId, tenantId } = spec;
  const base = { cloud, clientId, tenantId };
  switch (spec.kind) {
    case "workloadIdentity":
    case "managedIdentity":
      return { ok: true, value: { kind: spec.kind, ...base } };
    case "clientSecret":
      return { ok: true, value: { kind: "clientSecret", ...base, secret: spec.clientSecret } };
    case "certificate": {
      const password = spec.password === undefined ? {} : { password: spec.password };
      return { ok: true, value: { kind: "certificate", ...base, secret: spec.certificate, ...password } };
    }
    case "certificateFile":
    case "userAssignedIdentityFile":
      return fromFile(spec, folder);
  }
};

/** The same with its certificate in the one form that is used. Failure code: `CredentialUnusable`. */
export const usableMaterial = async (material: Material, identity: string): Promise<Result<Material>> => {
  if (material.kind !== "certificate") return { ok: true, value: material };
  const { password, ...rest } = material;
  const form = await certificateForm(material.secret, password);
  return form.kind === "pem"
    ? { ok: true, value: { ...rest, secret: form.pem } }
    : { ok: false, error: unusable(identity, `its certificate cannot be used: ${form.why}`) };
};
