import { X509Certificate } from "node:crypto";
import type { asn1, pkcs12 } from "node-forge";

type Forge = typeof import("node-forge");

/** What a bundle holds: the private key and all certificates, in no particular order. */
export interface Pkcs12Content {
  /** PKCS #8 or PKCS #1, in DER. */
  readonly key: Buffer;
  readonly certificates: readonly X509Certificate[];
}

/** A SEQUENCE whose length takes more than one byte: nothing that is written as text begins so. */
const beginsAsDer = (bytes: Buffer): boolean => bytes[0] === 0x30 && (bytes[1] ?? 0) > 0x80;

/** The bytes of a bundle that was given in Base64; undefined for anything else. */
export const pkcs12Bytes = (text: string): Buffer | undefined => {
  const compact = text.replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return undefined;
  const bytes = Buffer.from(compact, "base64");
  return beginsAsDer(bytes) ? bytes : undefined;
};

/** Without a password there may be an empty one, or none at all: to a bundle these are two. */
const passwordsOf = (password: string | undefined): readonly (string | undefined)[] =>
  password === undefined ? ["", undefined] : [password];

const open = (forge: Forge, bytes: Buffer, password: string | undefined): pkcs12.Pkcs12Pfx | undefined => {
  try {
    return forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(bytes.toString("latin1")), false, password);
  } catch {
    // Why may quote what is in it.
    return undefined;
  }
};

const derOf = (forge: Forge, value: asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(value).getBytes(), "latin1");

const bagsOf = (bundle: pkcs12.Pkcs12Pfx, bagType: string | undefined): readonly pkcs12.Bag[] =>
  bagType === undefined ? [] : (bundle.getBags({ bagType })[bagType] ?? []);

const contentOf = (forge: Forge, bundle: pkcs12.Pkcs12Pfx): Pkcs12Content | undefined => {
  const { oids, privateKeyToAsn1, certificateToAsn1 } = forge.pki;
  const [bag] = [...bagsOf(bundle, oids["pkcs8ShroudedKeyBag"]), ...bagsOf(bundle, oids["keyBag"])];
  if (bag === undefined) return undefined;
  const certificates = bagsOf(bundle, oids["certBag"]).map(({ cert, asn1 }) =>
    derOf(forge, cert === undefined ? asn1 : certificateToAsn1(cert)),
  );
  return {
    key: derOf(forge, bag.key ? privateKeyToAsn1(bag.key) : bag.asn1),
    certificates: certificates.map((one) => new X509Certificate(one)),
  };
};

/** Opens a PKCS #12 bundle; undefined when it cannot be read, or not with this password. */
export const openPkcs12 = async (bytes: Buffer, password?: string): Promise<Pkcs12Content | undefined> => {
  const { default: forge } = await import("node-forge");
  for (const one of passwordsOf(password)) {
    const bundle = open(forge, bytes, one);
    if (bundle !== undefined) return contentOf(forge, bundle);
  }
  return undefined;
};
