import type { WireObject, WireProperty } from "./wireTypes.ts";

/**
 * Properties that are secrets, as `name` or `Type.name`, each with the reason. Azure shows none of them again, so they
 * are write-only too.
 */
const secrets: Readonly<Record<string, string>> = {
  adminPassword: "password of the operating system's administrator",
  customData: "cloud-init data: it holds the bootstrap token of a joining node",
  userData: "may carry bootstrap data as customData does; shown only when asked for by $expand",
  protectedSettings: "encrypted settings of a virtual machine extension",
  "AdditionalUnattendContent.content": "Windows set-up content: it holds the password of AutoLogon",
  "ManagedClusterServicePrincipalProfile.secret": "password of the cluster's service principal",
  serverAppSecret: "password of the server application of the former Entra ID integration",
};

/** Properties whose names look like secrets but hold none. */
const harmless: Readonly<Record<string, string>> = {
  secrets: "references to certificates in a key vault",
  secretUrl: "URL of a secret in a key vault, without its value",
};

const suspicious =
  /password|secret|token|credential|sharedkey|accesskey|accountkey|privatekey|connectionstring|sas(uri|url)?$/i;

const declaredIn = (table: Readonly<Record<string, string>>, object: string, property: string): boolean =>
  Object.hasOwn(table, property) || Object.hasOwn(table, `${object}.${property}`);

/**
 * Marks the secrets of an object type. A property whose name looks like a secret and that stands in neither list
 * stops the generator, so that no release of a client package adds one unseen.
 */
export const markSecrets = (object: WireObject): WireObject => ({
  ...object,
  properties: object.properties.map((property): WireProperty => {
    if (declaredIn(secrets, object.name, property.name)) return { ...property, secret: true };
    const holdsText = property.type.kind !== "boolean" && property.type.kind !== "number";
    if (holdsText && suspicious.test(property.name) && !declaredIn(harmless, object.name, property.name))
      throw new Error(`${object.name}.${property.name} looks like a secret: declare it in infra/generate/secrets.ts`);
    return property;
  }),
});
