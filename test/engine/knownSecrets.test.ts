import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knownSecrets } from "../../src/engine/knownSecrets.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("secrets that a turn has come across", () => {
  const secret = 'pa"ss/wo+rd\\☃';
  it.each([
    { how: "as it is", echoed: secret },
    { how: "in JSON", echoed: JSON.stringify({ adminPassword: secret }) },
    { how: "in JSON in JSON", echoed: JSON.stringify({ message: JSON.stringify({ adminPassword: secret }) }) },
    { how: "in base64", echoed: base64(secret) },
    { how: "in a URL", echoed: `https://x?code=${encodeURIComponent(secret)}` },
  ])("are blanked $how", ({ echoed }) => {
    const secrets = knownSecrets();
    secrets.learn([secret]);
    const blanked = secrets.blank(`The value '${echoed}' is not allowed.`);
    expect(blanked).toContain("***");
    expect(blanked).not.toContain("ss/wo");
    expect(blanked).not.toContain(base64(secret).slice(0, 8));
    expect(blanked).toMatch(/^The value '.*' is not allowed\.$/s);
  });

  it("are blanked line by line: one that quotes a line of a key tells as much", () => {
    const secrets = knownSecrets();
    secrets.learn(["-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END PRIVATE KEY-----\n"]);
    expect(secrets.blank("unexpected MIIEvQIBADANBgkqhkiG9w0B in line 2")).toBe("unexpected *** in line 2");
  });

  it("of which one holds another are blanked whole", () => {
    const secrets = knownSecrets();
    secrets.learn(["secret", "secret-and-more"]);
    expect(secrets.blank("it is secret-and-more")).toBe("it is ***");
  });

  it("leave everything else as it is", () =>
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (learned, text) => {
        const secrets = knownSecrets();
        expect(secrets.blank(text)).toBe(text);
        secrets.learn(learned);
        const blanked = secrets.blank(text);
        for (const one of learned.filter((value) => value.trim().length >= 4)) expect(blanked).not.toContain(one);
      }),
    ));
});
