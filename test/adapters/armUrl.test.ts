import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { armUrl, trustedUrl, withoutQuery } from "../../src/adapters/armUrl.ts";
import { clouds } from "../../src/adapters/clouds.ts";

const cloud = clouds.AzurePublicCloud;

describe("armUrl", () => {
  it("puts the api-version last and encodes values as Azure documents them", () => {
    const query = { $filter: "tagName eq 'a b'" };
    expect(armUrl(cloud, { path: "/subscriptions/s/resources", apiVersion: "2025-04-01", query })).toEqual({
      ok: true,
      value:
        "https://management.azure.com/subscriptions/s/resources?$filter=tagName%20eq%20'a%20b'&api-version=2025-04-01",
    });
  });

  it("lets no name in a path become a query, a fragment or another host", () => {
    const name = fc.string({ unit: "binary" }).map((text) => text.toWellFormed());
    fc.assert(
      fc.property(name, (text) => {
        const url = armUrl(cloud, { path: `/subscriptions/${text}`, apiVersion: "v" });
        if (!url.ok) return;
        const parsed = new URL(url.value);
        expect(parsed.host).toBe("management.azure.com");
        expect(parsed.pathname.startsWith("/subscriptions/")).toBe(true);
        expect(parsed.search).toBe("?api-version=v");
        expect(parsed.hash).toBe("");
      }),
    );
  });

  it.each(["", "subscriptions", "//evil.example/x", "/a/../b", "/a/..", "/a/./b", "/a/%2e%2E/b", "/a\\..\\b"])(
    "refuses the path %j",
    (path) => {
      expect(armUrl(cloud, { path, apiVersion: "v" })).toMatchObject({ ok: false, error: { code: "BadPath" } });
    },
  );
});

describe("trustedUrl", () => {
  it.each([
    ["https://management.azure.com/x?t=1", "https://management.azure.com/x?t=1"],
    ["https://westeurope.management.azure.com/x", "https://westeurope.management.azure.com/x"],
    ["https://MANAGEMENT.azure.com:443/x", "https://management.azure.com/x"],
    ["/subscriptions/s", "https://management.azure.com/subscriptions/s"],
  ])("trusts %s", (link, value) => {
    expect(trustedUrl(cloud, link)).toEqual({ ok: true, value });
  });

  it.each([
    "http://management.azure.com/x",
    "https://management.azure.com.evil.example/x",
    "https://evilmanagement.azure.com/x",
    "https://management.azure.com@evil.example/x",
    "https://user:pass@management.azure.com/x",
    "https://management.azure.com:8443/x",
    "https://management.usgovcloudapi.net/x",
    "https://azure.com/x",
    "//evil.example/x",
    "\\\\evil.example\\x",
    "https://127.0.0.1/x",
    "file:///etc/passwd",
    "https://",
  ])("does not trust %s", (link) => {
    expect(trustedUrl(cloud, link)).toMatchObject({ ok: false, error: { code: "UntrustedUrl" } });
  });

  it("knows the hosts of each cloud and no other's", () => {
    for (const [name, { managementHost }] of Object.entries(clouds))
      for (const [other, theirs] of Object.entries(clouds))
        expect(trustedUrl(theirs, `https://${managementHost}/x`).ok).toBe(name === other);
  });
});

it("shows no signature in a log", () => {
  expect(withoutQuery("https://management.azure.com/op?t=1&s=secret")).toBe("https://management.azure.com/op");
});
