/** How long resolvers keep the API server's address; seconds. Existing clusters have it. */
export const recordTtlSeconds = 300;
