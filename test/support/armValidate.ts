import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Json } from "../../src/wire/json.ts";
import { sharedDir } from "./shared.ts";

/** A request as it was sent; the api-version may stand in the path's query instead. */
export interface ArmRequest {
  readonly method: string;
  readonly path: string;
  readonly apiVersion?: string;
  readonly body?: Json;
}

type Level = "error" | "warn" | "info";

/** One thing that Azure's published schema does not allow in one request. */
export interface ArmFinding {
  readonly request: string;
  readonly level: Level;
  readonly code: string;
  /** Path of the property inside the body. */
  readonly at: string;
  readonly message: string;
}

interface Validator {
  validate(request: ArmRequest): {
    readonly type?: string;
    readonly findings: readonly Omit<ArmFinding, "request">[];
  };
}
interface ValidatorModule {
  readonly ArmSchema: new (directories: readonly string[]) => Validator;
}

/** Prices are decimals, which the format of the published schemas cannot say. */
const isPrice = ({ code, at }: Pick<ArmFinding, "code" | "at">): boolean =>
  code === "wrongType" && /maxPrice$/i.test(at);

const load = async (): Promise<Validator> => {
  const folder = join(sharedDir, "tools", "arm-validate");
  const file = join(folder, "arm-schema.mjs");
  if (!existsSync(file)) throw new Error("the validator is missing: wrap the test in describeWithShared");
  const { ArmSchema } = (await import(pathToFileURL(file).href)) as ValidatorModule;
  return new ArmSchema([join(folder, "sdk-types"), join(folder, "types")]);
};

/**
 * What Azure's published schemas find wrong in requests, in their order: errors and warnings (a read-only property, an
 * unknown value of an open enum, an explicit null, no schema for the api-version), without remarks. A GET or DELETE is
 * only checked for its api-version. Rules across fields, immutability and references are not checked.
 *
 * Usage, in `describeWithShared`: `expect(await armFindings(requests)).toEqual([])`.
 */
export const armFindings = async (requests: Iterable<ArmRequest>): Promise<readonly ArmFinding[]> => {
  const validator = await load();
  return [...requests].flatMap((request) =>
    validator
      .validate(request)
      .findings.filter((finding) => finding.level !== "info" && !isPrice(finding))
      .map((finding) => ({ request: `${request.method} ${request.path}`, ...finding })),
  );
};
