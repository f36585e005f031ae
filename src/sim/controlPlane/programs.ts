import type { CredentialFiles } from "./credentials.ts";

/** Command lines of the programs. Flags: https://kubernetes.io/docs/reference/command-line-tools-reference and https://etcd.io/docs */

/** One etcd member on 127.0.0.1. It need not survive a power cut, so it does not wait for the disk. */
export const etcdArgs = (dataDir: string, clientPort: number, peerPort: number): readonly string[] => {
  const client = `http://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  return [
    `--data-dir=${dataDir}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    "--unsafe-no-fsync",
    "--log-level=warn",
  ];
};

export interface ApiServerOptions {
  readonly port: number;
  readonly etcdPort: number;
  readonly files: CredentialFiles;
}

export const apiServerArgs = ({ port, etcdPort, files }: ApiServerOptions): readonly string[] => [
  `--etcd-servers=http://127.0.0.1:${etcdPort}`,
  "--bind-address=127.0.0.1",
  "--advertise-address=127.0.0.1",
  // Endpoints may not hold a loopback address; nothing here runs in pods and needs them.
  "--endpoint-reconciler-type=none",
  `--secure-port=${port}`,
  `--tls-cert-file=${files.serverCertificate}`,
  `--tls-private-key-file=${files.serverKey}`,
  "--authorization-mode=RBAC",
  `--token-auth-file=${files.tokens}`,
  "--service-account-issuer=https://kubernetes.default.svc",
  `--service-account-key-file=${files.serviceAccountPublicKey}`,
  `--service-account-signing-key-file=${files.serviceAccountKey}`,
  "--service-cluster-ip-range=10.0.0.0/24",
  "--allow-privileged=true",
];

/** What a management cluster needs without nodes: no scheduling, workloads, volumes or cloud. */
const controllers = [
  "garbage-collector-controller",
  "namespace-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "root-ca-certificate-publisher-controller",
  "clusterrole-aggregation-controller",
  // Says in a policy's status what its expressions get wrong.
  "validatingadmissionpolicy-status-controller",
];

export const controllerManagerArgs = (kubeconfigPath: string, files: CredentialFiles): readonly string[] => [
  `--kubeconfig=${kubeconfigPath}`,
  `--controllers=${controllers.join(",")}`,
  `--service-account-private-key-file=${files.serviceAccountKey}`,
  `--root-ca-file=${files.ca}`,
  "--leader-elect=false",
  "--secure-port=0",
];

/** A Cluster API manager whose webhooks listen on `webhookPort`. */
export const clusterApiArgs = (webhookPort: number, files: CredentialFiles, gates: string): readonly string[] => [
  `--webhook-port=${webhookPort}`,
  `--webhook-cert-dir=${files.serverFolder}`,
  "--leader-elect=false",
  "--diagnostics-address=127.0.0.1:0",
  "--insecure-diagnostics=true",
  "--health-addr=127.0.0.1:0",
  `--feature-gates=${gates}`,
];
