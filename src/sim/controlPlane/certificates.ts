import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";
import { der } from "./der.ts";

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A certificate authority: its name, its keys and its own certificate. */
export interface Authority extends KeyPair {
  readonly name: string;
  readonly pem: string;
}

/** A local cluster that is kept for years must still start. */
const validYears = 10;
/** Covers a clock that was set back a little after the certificate was made. */
const backdatedMs = 3_600_000;

const ecdsaWithSha256 = der.sequence(der.oid("1.2.840.10045.4.3.2"));

export const newKeyPair = (): KeyPair => generateKeyPairSync("ec", { namedCurve: "P-256" });

const distinguishedName = (commonName: string): Buffer =>
  der.sequence(der.set(der.sequence(der.oid("2.5.4.3"), der.utf8String(commonName))));

const extension = (oid: string, critical: boolean, value: Buffer): Buffer =>
  der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octetString(value));

const spki = (key: KeyObject): Buffer => key.export({ type: "spki", format: "der" });
/** Any value will do that is the same in issuer and issued (RFC 5280, 4.2.1.2). */
const keyId = (key: KeyObject): Buffer => createHash("sha1").update(spki(key)).digest();

const pemOf = (certificate: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64").replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`;

interface Subject {
  readonly commonName: string;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

const certify = (subject: Subject, issuer: KeyPair & { readonly name: string }, now: Date): string => {
  const until = new Date(now);
  until.setUTCFullYear(now.getUTCFullYear() + validYears);
  const extensions = [
    ...subject.extensions,
    extension("2.5.29.14", false, der.octetString(keyId(subject.publicKey))),
    extension("2.5.29.35", false, der.sequence(der.implicit(0, keyId(issuer.publicKey)))),
  ];
  const unsigned = der.sequence(
    der.explicit(0, der.integer(Buffer.of(2))),
    der.integer(randomBytes(16)),
    ecdsaWithSha256,
    distinguishedName(issuer.name),
    der.sequence(der.time(new Date(now.getTime() - backdatedMs)), der.time(until)),
    distinguishedName(subject.commonName),
    spki(subject.publicKey),
    der.explicit(3, der.sequence(...extensions)),
  );
  return pemOf(der.sequence(unsigned, ecdsaWithSha256, der.bitString(sign("sha256", unsigned, issuer.privateKey))));
};

/** A new certificate authority, valid for ten years from `now`. */
export const newAuthority = (name: string, now: Date): Authority => {
  const keys = newKeyPair();
  const extensions = [
    extension("2.5.29.19", true, der.sequence(der.boolean(true))),
    // keyCertSign and cRLSign: bits 5 and 6.
    extension("2.5.29.15", true, der.bitString(Buffer.of(0b0000_0110), 1)),
  ];
  return {
    ...keys,
    name,
    pem: certify({ commonName: name, publicKey: keys.publicKey, extensions }, { ...keys, name }, now),
  };
};

const alternativeName = (host: string): Buffer =>
  isIPv4(host)
    ? der.implicit(7, Buffer.from(host.split(".").map(Number)))
    : der.implicit(2, Buffer.from(host, "latin1"));

/** A server certificate for DNS names and IPv4 addresses, valid for ten years from `now`, in PEM. */
export const serverCertificate = (
  authority: Authority,
  keys: KeyPair,
  hosts: readonly [string, ...(readonly string[])],
  now: Date,
): string => {
  const extensions = [
    extension("2.5.29.19", true, der.sequence()),
    // digitalSignature: bit 0.
    extension("2.5.29.15", true, der.bitString(Buffer.of(0b1000_0000), 7)),
    // serverAuth
    extension("2.5.29.37", false, der.sequence(der.oid("1.3.6.1.5.5.7.3.1"))),
    extension("2.5.29.17", false, der.sequence(...hosts.map(alternativeName))),
  ];
  return certify({ commonName: hosts[0], publicKey: keys.publicKey, extensions }, authority, now);
};
