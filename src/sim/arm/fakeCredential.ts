import type { TokenCredential } from "@azure/core-auth";

/**
 * A credential that needs nobody: its token is the given text, which is also the identity that the simulator knows.
 * @param lifetimeMs how long each token claims to live; default an hour.
 */
export const fakeCredential = (token = "simulated", lifetimeMs = 3_600_000): TokenCredential => ({
  getToken: () => Promise.resolve({ token, expiresOnTimestamp: Date.now() + lifetimeMs }),
});
