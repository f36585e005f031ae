import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/core/azureErrorCodes/errorCode.ts";
import { errorCodeOf, errorCodes, errorFamilies } from "../../src/core/azureErrorCodes.ts";
import { hintFor } from "../../src/core/azureErrors.ts";

const all = [...errorCodes];

describe("the table of error codes", () => {
  it("holds at least 150, of six parts of Azure", () => {
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(Object.values(errorFamilies).map((family) => Object.keys(family).length > 10)).toEqual(Array(6).fill(true));
  });

  it("says of each where it is told", () => {
    const vague = all.filter(([, { source }]) => !/^https:\/\/[\w.-]+\/\S{5,}$/.test(source));
    expect(vague).toEqual([]);
  });

  it("has a code once, whatever its case", () => {
    const spellings = Object.values(errorFamilies).flatMap((family) => Object.keys(family));
    expect(new Set(spellings.map((code) => code.toLowerCase())).size).toBe(spellings.length);
  });

  it("tells a person what to do where a person has to", () => {
    const mute = all.filter(
      ([code, { kind, generic }]) =>
        ["policy", "quota", "capacity"].includes(kind) && generic !== true && hintFor(code) === undefined,
    );
    expect(mute).toEqual([]);
  });

  it("keeps every back-off between a second and an hour", () => {
    const strange = all.filter(([, { pace }]: readonly [string, ErrorCode]) =>
      [pace?.firstSeconds, pace?.freshCapSeconds].some((it) => it !== undefined && (it < 1 || it > 3600)),
    );
    expect(strange).toEqual([]);
  });

  it("is asked in any case, and knows every code of Entra ID", () => {
    expect(errorCodeOf("overConstrainedAllocationRequest")?.kind).toBe("capacity");
    expect(errorCodeOf("AADSTS99999")?.kind).toBe("auth");
    expect(errorCodeOf("AADSTS90033")?.kind).toBe("transient");
    expect(errorCodeOf("constructor")).toBeUndefined();
  });
});
