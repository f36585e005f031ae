import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";
import { describe, expect, it } from "vitest";
import { newAuthority, newKeyPair, serverCertificate } from "../../../src/sim/controlPlane/certificates.ts";

const now = new Date("2026-03-01T12:00:00Z");
const authority = newAuthority("test authority", now);
const keys = newKeyPair();
const pem = serverCertificate(authority, keys, ["127.0.0.1", "localhost"], now);
const root = new X509Certificate(authority.pem);
const server = new X509Certificate(pem);

describe("certificates", () => {
  it("make an authority that signed itself", () => {
    expect(root.ca).toBe(true);
    expect(root.verify(authority.publicKey)).toBe(true);
    expect(root.checkIssued(root)).toBe(true);
    expect(root.subject).toBe("CN=test authority");
  });

  it("make a server certificate that the authority issued and no other", () => {
    const other = newAuthority("test authority", now);
    expect(server.ca).toBe(false);
    expect(server.checkIssued(root)).toBe(true);
    expect(server.verify(authority.publicKey)).toBe(true);
    expect(server.verify(other.publicKey)).toBe(false);
    expect(server.checkPrivateKey(keys.privateKey)).toBe(true);
  });

  it("name exactly the hosts asked for", () => {
    expect(server.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(server.checkIP("127.0.0.2")).toBeUndefined();
    expect(server.checkHost("localhost")).toBe("localhost");
    expect(server.checkHost("example.org")).toBeUndefined();
    expect(server.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  });

  it("are valid for ten years", () => {
    expect(server.validFromDate.toISOString()).toBe("2026-03-01T11:00:00.000Z");
    expect(server.validToDate.toISOString()).toBe("2036-03-01T12:00:00.000Z");
  });

  it("bear a new serial number each", () => {
    expect(new X509Certificate(serverCertificate(authority, keys, ["localhost"], now)).serialNumber).not.toBe(
      server.serialNumber,
    );
  });

  it("are accepted in a TLS handshake that trusts the authority only", async () => {
    const today = new Date();
    const ca = newAuthority("test authority", today);
    const cert = serverCertificate(ca, keys, ["127.0.0.1"], today);
    const key = keys.privateKey.export({ type: "pkcs8", format: "pem" });
    const listener = createServer({ cert, key }, (socket) => socket.end()).listen(0, "127.0.0.1");
    await once(listener, "listening");
    const client = connect({ host: "127.0.0.1", port: (listener.address() as AddressInfo).port, ca: ca.pem });
    await once(client, "secureConnect");
    expect(client.authorized).toBe(true);
    client.destroy();
    listener.close();
  });
});
