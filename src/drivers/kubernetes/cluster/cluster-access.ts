import type { RequestOptions } from 'node:https';
import type { GatewayTls } from '../../../sandboxes/agent-server';
import { digestOf, messageOf } from '../../../kernel/common';
import { DriverError } from '../../../sandboxes/driver-port';

/** The address of the API server, and the credentials for it. */
export interface ClusterAccess {
  /** Its address, possibly with a base path. */
  readonly server: string;
  /** The namespace of the kubeconfig's context, or the one that the service runs in. */
  readonly namespace: string;
  /** Whether the service runs in this cluster, so that it reaches pods at their addresses. */
  readonly isInside: boolean;
  /** Read again each time: tokens and certificates are exchanged while the service runs. */
  credentials(): Promise<Credentials>;
}

/** What goes with each connection and request. */
export interface Credentials {
  readonly version: string;
  readonly tls: GatewayTls;
  readonly headers: readonly string[];
}

const IN_CLUSTER = 'inClusterContext';
/** The default of the library without any configuration. */
const NO_CLUSTER = 'http://localhost:8080';

/**
 * Finds the cluster as all its tools do: `KUBECONFIG`, `~/.kube/config`, or the service account of the pod. Of what may be
 * in a kubeconfig (certificates, tokens, programs that make tokens) the library knows all but proxies.
 * @throws DriverError with what to do
 */
export async function findCluster(): Promise<ClusterAccess> {
  const { KubeConfig } = await loadClientLibrary().catch((error: unknown) => {
    throw new DriverError(
      'The library for Kubernetes is not installed: run `npm install --no-save @kubernetes/client-node@1.4.0`.',
      { cause: error },
    );
  });
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (error) {
    throw new DriverError(`The kubeconfig cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null || cluster.server === NO_CLUSTER)
    throw new DriverError(
      'No cluster is configured: set KUBECONFIG to a file with a current context, or run the service in a pod with a service account.',
    );
  const context = config.getCurrentContext();
  return {
    server: cluster.server.replace(/\/+$/, ''),
    namespace: config.getContextObject(context)?.namespace ?? 'default',
    isInside: context === IN_CLUSTER,
    async credentials() {
      const options: RequestOptions = {};
      await config.applyToHTTPSOptions(options);
      return credentialsOf(options);
    },
  };
}

function credentialsOf(options: RequestOptions): Credentials {
  const { ca, cert, key, servername, rejectUnauthorized, auth } = options;
  const tls = {
    ...(isKey(ca) && { ca }),
    ...(isKey(cert) && { cert }),
    ...(isKey(key) && { key }),
    ...(servername !== undefined && { servername }),
    ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
  };
  const headers = headersOf(options);
  if (typeof auth === 'string')
    headers.push('authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
  const version = digestOf(JSON.stringify([Object.values(tls).map(String), headers]));
  return { version, tls, headers };
}

function headersOf({ headers = {} }: RequestOptions): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [name.toLowerCase(), value.trim()] : [],
  );
}

function isKey(value: unknown): value is string | Buffer {
  return typeof value === 'string' || Buffer.isBuffer(value);
}

/**
 * Kubernetes' own library, loaded when it is needed only: it is large, and most installations have no cluster.
 * @throws what Node throws where it is not installed
 */
function loadClientLibrary() {
  return import('@kubernetes/client-node');
}
