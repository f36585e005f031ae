import { alike, type ErrorCodes, report, sources } from "./errorCode.ts";

/** Entra ID, which gives out tokens: its codes stand in the words of its answer. */
export const identityErrors: ErrorCodes = {
  ...alike(
    { kind: "auth", source: sources.entra },
    {
      AADSTS7000215: "The client secret is wrong. Take the secret's value, not its id.",
      AADSTS7000222: "The client secret has expired; make a new one and put it into the secret of the identity.",
      AADSTS7000218: "The identity has neither a secret nor a certificate.",
      AADSTS700016: "The application does not exist in this tenant; check client id and tenant id.",
      AADSTS7000112: "The application is disabled.",
      AADSTS700229: "Only a token of an application can vouch for another identity.",
      AADSTS90002: "The tenant does not exist; check tenant id and cloud.",
      AADSTS90038: "The tenant belongs to another cloud.",
      AADSTS50012: "The certificate is not accepted; check that it belongs to the application and is valid.",
      AADSTS50013: "The assertion is not accepted; check issuer and validity.",
      AADSTS500133: "The assertion is outside its time of validity; check the clock of its issuer.",
      AADSTS500011: "The tenant does not know the resource; check the cloud.",
      AADSTS50003: "The application has no key or certificate.",
      AADSTS53003: "A conditional access policy of the tenant forbids it.",
      AADSTS530032: "A security policy of the tenant forbids it.",
    },
  ),
  ...alike(
    { kind: "auth", source: sources.workloadIdentity },
    {
      AADSTS70021:
        "No federated credential of the application fits: compare issuer, subject and audience with those in the message.",
    },
  ),
  ...alike(
    {
      kind: "auth",
      source: "https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations",
    },
    {
      AADSTS700211: "No federated credential has this issuer; compare it with the issuer of the management cluster.",
      AADSTS700212: "No federated credential has this audience; it must be api://AzureADTokenExchange.",
      AADSTS700213:
        "No federated credential has this subject; it must name namespace and service account of Capstan's identity.",
      AADSTS70025: "The application has no federated credential.",
      AADSTS700024: "The assertion is outside its time of validity; check the clock of its issuer.",
      AADSTS700027: "The certificate is not registered with the application.",
    },
  ),
  ...alike(
    { kind: "transient", source: sources.entra },
    {
      AADSTS90024: "",
      AADSTS90033: "",
      AADSTS90090: "",
      AADSTS50000: "",
    },
  ),
  ...alike({ kind: "throttled", source: sources.entra }, { AADSTS90055: "The tenant has too many requests." }),
  ...alike(
    { kind: "auth", source: report("kubernetes-sigs/cluster-api-provider-azure#3732") },
    {
      invalid_client: "The identity cannot prove itself.",
      unauthorized_client: "The application may not ask for tokens.",
    },
  ),
  ...alike(
    {
      kind: "badConfiguration",
      source: "https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/known-issues",
      wakes: ["identity", "dependencies"],
    },
    {
      FailedIdentityOperation: "A managed identity cannot be given to the resource; does it exist?",
    },
  ),
};
