import { authorizationErrors } from "./azureErrorCodes/authorizationErrors.ts";
import { computeErrors } from "./azureErrorCodes/computeErrors.ts";
import { containerServiceErrors } from "./azureErrorCodes/containerServiceErrors.ts";
import type { ErrorCode, ErrorCodes } from "./azureErrorCodes/errorCode.ts";
import { identityErrors } from "./azureErrorCodes/identityErrors.ts";
import { networkErrors } from "./azureErrorCodes/networkErrors.ts";
import { resourcesErrors } from "./azureErrorCodes/resourcesErrors.ts";

/** The table of error codes by the part of Azure that gives them. Each entry names its source. */
export const errorFamilies: Readonly<Record<string, ErrorCodes>> = Object.freeze({
  network: networkErrors,
  compute: computeErrors,
  "container service": containerServiceErrors,
  resources: resourcesErrors,
  authorization: authorizationErrors,
  identity: identityErrors,
});

/** Azure's error codes by meaning, in Azure's own spelling. */
export const errorCodes: ReadonlyMap<string, ErrorCode> = new Map(
  Object.values(errorFamilies).flatMap((family) => Object.entries(family)),
);

const byLowerCase: ReadonlyMap<string, ErrorCode> = new Map(
  [...errorCodes].map(([code, meaning]) => [code.toLowerCase(), meaning]),
);

/** What a code means; undefined for a code that the table lacks. Azure's services do not agree on the case of letters. */
export const errorCodeOf = (code: string): ErrorCode | undefined =>
  byLowerCase.get(code.toLowerCase()) ?? (/^AADSTS\d+$/i.test(code) ? unknownTokenError : undefined);

const unknownTokenError: ErrorCode = {
  kind: "auth",
  hint: "Entra ID gives the identity no token.",
  source: "https://login.microsoftonline.com/error",
};
