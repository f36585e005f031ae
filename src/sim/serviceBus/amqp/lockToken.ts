/** The 16 bytes of a textual UUID, in the order that AMQP uses for its uuid type. */
export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll("-", ""), "hex");

/** The textual form of 16 bytes in AMQP order. */
export const uuidText = (bytes: Buffer): string => {
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

/**
 * The delivery tag that carries a lock token. Azure Service Bus sends a .NET Guid there, whose first three groups are
 * little-endian; clients turn them round to get the token.
 */
export const deliveryTag = (lockToken: string): Buffer => {
  const bytes = uuidBytes(lockToken);
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
};
