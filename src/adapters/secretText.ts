import { isUtf8 } from "node:buffer";

/** Bytes of a secret as text: what is no UTF-8, such as a PKCS #12 bundle, is given in Base64. */
export const secretText = (bytes: Buffer): string => bytes.toString(isUtf8(bytes) ? "utf8" : "base64");
