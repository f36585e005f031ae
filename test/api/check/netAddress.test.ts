import { describe, expect, it } from "vitest";
import {
  containsCidr,
  containsIp,
  isSameCidr,
  isSameIp,
  masked,
  netCidr,
  netIp,
} from "../../../src/api/check/cel/netAddress.ts";

describe("an address", () => {
  it.each([
    "0.0.0.0",
    "10.0.0.4",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "FE80::A",
    "1:2:3:4:5:6:7:8",
    "1::8",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "64:ff9b::1.2.3.4",
    "::1.2.3.4",
    "2001:db8::",
  ])("is %s", (text) => expect(netIp(text)).toBeDefined());
  it.each([
    "",
    "a",
    "1.2.3",
    "1.2.3.4.5",
    "256.0.0.1",
    "01.2.3.4",
    "1.2.3.04",
    "0x1.2.3.4",
    " 1.2.3.4",
    "1.2.3.4 ",
    "1.2.3.4/8",
    "1..2.3",
    ":::",
    "1:2:3",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "1::2::3",
    "00001::",
    "g::",
    "fe80::1%eth0",
    "::ffff:1.2.3.4",
    "::FFFF:102:304",
    "::01.2.3.4",
    "1.2.3.4::",
    "1:2:3:4:5:6:7:1.2.3.4",
    ":1::",
    "1:",
    "1::2:",
  ])("is not %s", (text) => expect(netIp(text)).toBeUndefined());
  it("is the same however it is written", () => {
    expect(isSameIp(netIp("1:0:0::8")!, netIp("1::8")!)).toBe(true);
    expect(isSameIp(netIp("::1")!, netIp("0.0.0.1")!)).toBe(false);
    expect(netIp("1:0:0:0:0:0:0:8")!.text).toBe("1::8");
  });
});

describe("a range", () => {
  it.each(["10.0.0.0/8", "10.0.0.7/16", "0.0.0.0/0", "1.2.3.4/32", "::/0", "2001:db8::/128"])("is %s", (text) =>
    expect(netCidr(text)!.text).toBe(text),
  );
  it.each([
    "",
    "/",
    "/8",
    "10.0.0.0",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/08",
    "10.0.0.0/+8",
    "10.0.0.0/-1",
    "10.0.0.0/8 ",
    "10.0.0.0/8/8",
    "10.0.0/8",
    "010.0.0.0/8",
    "::/129",
    "::ffff:10.0.0.0/104",
    "fe80::1%eth0/64",
  ])("is not %s", (text) => expect(netCidr(text)).toBeUndefined());

  it.each([
    { outer: "10.0.0.0/8", inner: "10.1.0.0/16", contains: true },
    { outer: "10.0.0.0/8", inner: "10.0.0.0/8", contains: true },
    { outer: "10.1.0.0/16", inner: "10.0.0.0/8", contains: false },
    { outer: "10.0.0.7/8", inner: "10.1.2.3/16", contains: true },
    { outer: "10.0.0.0/9", inner: "10.128.0.0/16", contains: false },
    { outer: "0.0.0.0/0", inner: "1.2.3.4/32", contains: true },
    { outer: "0.0.0.0/0", inner: "::/0", contains: false },
    { outer: "2001:db8::/32", inner: "2001:db8:1::/48", contains: true },
  ])("$outer contains $inner: $contains", ({ outer, inner, contains }) => {
    expect(containsCidr(netCidr(outer)!, netCidr(inner)!)).toBe(contains);
    expect(containsIp(netCidr(outer)!, netCidr(inner)!.ip)).toBe(
      contains || outer === "10.1.0.0/16" ? contains : false,
    );
  });
  it("knows its network", () => {
    expect(masked(netCidr("10.1.2.3/9")!).text).toBe("10.0.0.0/9");
    expect(masked(netCidr("2001:db8:ffff::1/33")!).text).toBe("2001:db8:8000::/33");
  });
  it("is another with other bits after its network", () => {
    expect(isSameCidr(netCidr("10.0.0.1/8")!, netCidr("10.0.0.0/8")!)).toBe(false);
    expect(isSameCidr(netCidr("10.0.0.0/8")!, netCidr("10.0.0.0/9")!)).toBe(false);
    expect(isSameCidr(netCidr("1::/16")!, netCidr("1:0::/16")!)).toBe(true);
  });
});
