import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { openPkcs12, pkcs12Bytes } from "./pkcs12.ts";

/** A certificate with its private key, as Entra ID's clients take it; or what is wrong with what was given. */
export type CertificateForm =
  | { readonly kind: "pem"; readonly pem: string }
  | { readonly kind: "wrong"; readonly why: string };

interface Parts {
  readonly key: KeyObject;
  readonly certificates: readonly X509Certificate[];
}

const wrong = (why: string): CertificateForm => ({ kind: "wrong", why });

const certificatePattern = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
const keyPattern = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----[\s\S]+?-----END (?:[A-Z]+ )*PRIVATE KEY-----/;

const partsOfPem = (text: string, password: string | undefined): Parts | string => {
  const key = keyPattern.exec(text)?.[0];
  const certificates = text.match(certificatePattern) ?? [];
  if (key === undefined) return "it has no private key";
  if (certificates.length === 0) return "it has no certificate";
  const isEncrypted = /ENCRYPTED/.test(key);
  if (isEncrypted && password === undefined) return "its private key is encrypted, and there is no password";
  try {
    return {
      key: createPrivateKey({ key, ...(password !== undefined && { passphrase: password }) }),
      certificates: certificates.map((one) => new X509Certificate(one)),
    };
  } catch {
    return isEncrypted ? "its private key does not open with the password" : "its key or certificate cannot be read";
  }
};

const partsOfPkcs12 = async (bytes: Buffer, password: string | undefined): Promise<Parts | string> => {
  const closed = `it is a PKCS #12 bundle that does not open ${password === undefined ? "without a password" : "with the password"}`;
  try {
    const content = await openPkcs12(bytes, password);
    if (content === undefined) return closed;
    const { key, certificates } = content;
    return { key: privateKeyOf(key), certificates };
  } catch {
    return "it is a PKCS #12 bundle whose key or certificate cannot be read";
  }
};

const privateKeyOf = (der: Buffer): KeyObject => {
  try {
    return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  } catch {
    return createPrivateKey({ key: der, format: "der", type: "pkcs1" });
  }
};

/** The certificate of the key comes first: the first one is what its identity is found by. */
const pemOf = ({ key, certificates }: Parts): CertificateForm => {
  if (key.asymmetricKeyType !== "rsa") return wrong("its key is not an RSA key, and Entra ID takes no other");
  const own = certificates.find((one) => one.checkPrivateKey(key));
  if (own === undefined) return wrong("its certificate and its private key do not belong together");
  const all = [own, ...certificates.filter((one) => one !== own)].map((one) => one.toString());
  return { kind: "pem", pem: [...all, key.export({ format: "pem", type: "pkcs8" }).toString()].join("") };
};

/**
 * Brings a certificate with its key into one form: PEM, the key's own certificate first, the key unencrypted. Takes PEM in
 * any order, and PKCS #12 in Base64. What is wrong is said without a word of what was given.
 */
export const certificateForm = async (text: string, password?: string): Promise<CertificateForm> => {
  const bundle = pkcs12Bytes(text);
  if (bundle === undefined && !text.includes("-----BEGIN ")) return wrong("it is neither PEM nor PKCS #12");
  const parts = bundle === undefined ? partsOfPem(text, password) : await partsOfPkcs12(bundle, password);
  return typeof parts === "string" ? wrong(parts) : pemOf(parts);
};
