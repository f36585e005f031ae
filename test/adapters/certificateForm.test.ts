import { createPrivateKey, X509Certificate } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certificateForm } from "../../src/adapters/certificateForm.ts";
import { secretText } from "../../src/adapters/secretText.ts";
import {
  bareBundle,
  bundlePassword,
  ellipticPem,
  encryptedKey,
  legacyBundle,
  modernBundle,
  openBundle,
  otherCertificate,
  rsaCertificate,
  rsaKey,
} from "../support/identity/certificates.ts";

const own = new X509Certificate(rsaCertificate);
const both = `${rsaKey}\n${rsaCertificate}\n`;

const cases: readonly { readonly what: string; readonly text: string; readonly password?: string }[] = [
  { what: "PEM, key first", text: both },
  { what: "PEM, certificate first, with a line end of Windows", text: `${rsaCertificate}\r\n${rsaKey}\r\n\r\n` },
  { what: "PEM with another certificate before its own", text: `${otherCertificate}\n${rsaCertificate}\n${rsaKey}` },
  { what: "PEM with an encrypted key", text: `${encryptedKey}\n${rsaCertificate}`, password: bundlePassword },
  { what: "PEM with a password that is not needed", text: both, password: "unneeded" },
  { what: "PKCS #12 of openssl 3", text: modernBundle, password: bundlePassword },
  { what: "PKCS #12 of openssl 1 and Windows", text: legacyBundle, password: bundlePassword },
  { what: "PKCS #12 on one line", text: modernBundle.replaceAll("\n", ""), password: bundlePassword },
  { what: "PKCS #12 without a password", text: bareBundle },
  { what: "PKCS #12 with an empty password", text: bareBundle, password: "" },
  { what: "PKCS #12 without encryption", text: openBundle },
];

describe("a certificate", () => {
  it.each(cases)("as $what is brought into the one form", async ({ text, password }) => {
    const form = await certificateForm(text, password);
    if (form.kind !== "pem") throw new Error(form.why);
    // Byte for byte the same certificate: its fingerprint is how Entra ID finds it.
    expect(new X509Certificate(form.pem).fingerprint256).toBe(own.fingerprint256);
    expect(createPrivateKey(form.pem).export({ format: "pem", type: "pkcs8" })).toBe(
      createPrivateKey(rsaKey).export({ format: "pem", type: "pkcs8" }),
    );
  });

  it.each([
    { what: "no certificate at all", text: "hush-hush", says: "neither PEM nor PKCS #12" },
    { what: "nothing", text: "", says: "neither PEM nor PKCS #12" },
    { what: "no key", text: rsaCertificate, says: "no private key" },
    { what: "no certificate beside the key", text: rsaKey, says: "no certificate" },
    { what: "a certificate of another key", text: `${rsaKey}\n${otherCertificate}`, says: "do not belong together" },
    { what: "a key that Entra ID does not take", text: ellipticPem, says: "RSA" },
    { what: "an encrypted key alone", text: `${encryptedKey}\n${rsaCertificate}`, says: "there is no password" },
    {
      what: "a wrong password",
      text: `${encryptedKey}\n${rsaCertificate}`,
      password: "hush-hush",
      says: "does not open with the password",
    },
    { what: "a bundle without its password", text: modernBundle, says: "does not open without a password" },
    { what: "a bundle with another password", text: legacyBundle, password: "hush-hush", says: "with the password" },
    { what: "half a bundle", text: modernBundle.slice(0, 1_600), password: bundlePassword, says: "PKCS #12" },
    {
      what: "a damaged PEM",
      text: both.replaceAll("a", "_"),
      says: "cannot be read",
    },
  ])("that is $what is refused without a word of it", async ({ text, password, says }) => {
    const form = await certificateForm(text, password);
    expect(form).toMatchObject({ kind: "wrong", why: expect.stringContaining(says) });
    expect(JSON.stringify(form)).not.toMatch(/hush|opensesame|PRIVATE|MII/);
  });

  it("of any other kind is refused, too", () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.uint8Array().map((bytes) => Buffer.from([0x30, 0x82, ...bytes]).toString("base64")),
        ),
        fc.option(fc.string(), { nil: undefined }),
        async (text, password) => {
          expect(await certificateForm(text, password)).toMatchObject({ kind: "wrong" });
        },
      ),
    ));
});

describe("bytes of a secret", () => {
  it("are text if they can be, and a bundle never can", () => {
    const bundle = Buffer.from(modernBundle, "base64");
    expect(secretText(Buffer.from("grüße\n", "utf8"))).toBe("grüße\n");
    expect(secretText(bundle)).toBe(bundle.toString("base64"));
  });
});
