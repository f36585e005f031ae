import { describe, expect, it } from "vitest";
import { isLocalUrl, localTransport } from "../../src/adapters/armTransport.ts";

describe("localTransport", () => {
  it.each(["http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:9", "https://localhost"])(
    "may lead to %s",
    (url) => {
      expect(isLocalUrl(url)).toBe(true);
    },
  );
  it.each([
    "http://127.0.0.1.evil.example",
    "http://evil.example",
    "http://localhost@evil.example",
    "http://10.0.0.1",
    "file:///etc/passwd",
    "127.0.0.1",
    "",
  ])("may not lead to %j", async (url) => {
    expect(isLocalUrl(url)).toBe(false);
    await expect(localTransport(url)).rejects.toThrow("only to this machine");
  });
});
