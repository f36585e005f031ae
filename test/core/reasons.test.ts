import { expect, it } from "vitest";
import { reasons } from "../../src/core/reasons.ts";

it("explains every reason in a sentence, in the spelling that conditions take", () => {
  for (const [reason, meaning] of Object.entries(reasons)) {
    expect(reason).toMatch(/^[A-Z][A-Za-z]{1,255}$/);
    expect(meaning).toMatch(/^\S.{20,}\.$/);
  }
});
