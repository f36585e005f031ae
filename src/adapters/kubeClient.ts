/**
 * What is used of the Kubernetes client library. A file of its own, imported lazily: a bundler drops the rest of the
 * library (all typed calls) only from a static import of names.
 */
export { IsomorphicFetchHttpLibrary, KubeConfig, RequestContext } from "@kubernetes/client-node";
