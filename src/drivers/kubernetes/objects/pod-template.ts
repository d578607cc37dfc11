import type { Settings } from '../../../kernel/config';
import type { PodTemplate } from '../kubernetes-options';
import { MANAGED_BY, SERVICE } from './labels';
import { isRecord } from '../../../kernel/common';

/** Lists whose items have names: they are merged item by item, as Kubernetes does. */
const KEYED: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  ports: 'containerPort',
  imagePullSecrets: 'name',
};

/**
 * What a template becomes with changes to it: objects are merged, lists of named items by their names, all else is replaced;
 * null removes.
 * @param field the one that both are the value of
 */
export function merged(base: unknown, changes: unknown, field = ''): unknown {
  if (changes === undefined) return base;
  if (isRecord(base) && isRecord(changes)) {
    const names = [...new Set([...Object.keys(base), ...Object.keys(changes)])];
    const kept = names.filter((name) => changes[name] !== null);
    return Object.fromEntries(kept.map((name) => [name, merged(base[name], changes[name], name)]));
  }
  const key = KEYED[field];
  if (key !== undefined && Array.isArray(base) && Array.isArray(changes))
    return mergedItems(base, changes, key);
  return changes;
}

function mergedItems(base: readonly unknown[], changes: readonly unknown[], key: string): unknown[] {
  const result = [...base];
  for (const change of changes) {
    const at = result.findIndex(
      (item) => nameOf(item, key) !== undefined && nameOf(item, key) === nameOf(change, key),
    );
    if (at === -1) result.push(change);
    else result[at] = merged(result[at], change);
  }
  return result;
}

function nameOf(item: unknown, key: string): unknown {
  return isRecord(item) ? item[key] : undefined;
}

/** The container with the agent server. */
export const CONTAINER = 'agent-server';
/** The port it listens on, in a pod with an address of its own. */
export const AGENT_SERVER_PORT = 8000;
/** The volume that is kept between runs, and where it is. */
export const WORKSPACE_VOLUME = 'workspace';
export const WORKSPACE = '/workspace';
/** Where conversations work. */
export const WORKING_DIR = `${WORKSPACE}/project`;

const KEY_FOLDER = '/run/agent-server';
/** The file of the Secret with the keys. */
export const KEY_FILE = 'config.json';
const USER = 1000;
const MAX_TMP_MEBIBYTES = 1_024;
/**
 * Its file is on the node's own disk, may be written by everybody who reaches it, and counts for no limit. In images the
 * folder is closed to all but root.
 */
const TERMINATION_MESSAGE = '/root/termination-log';
/** The share of the node's own disk: the log alone, which is rotated now and then. */
const NODE_DISK = { requests: '64Mi', limits: '1Gi' };
/** The grace period, in which agents are interrupted and conversations are saved. */
const GRACE_SECONDS = 5;

/** What differs between sandboxes that start and those that are pre-warmed. */
interface PodKind {
  readonly labels: Readonly<Record<string, string>>;
  readonly environment: readonly EnvironmentVariable[];
  /** With the file of the keys; null where they come later. */
  readonly secretName: string | null;
  /** Asks whether the agent server is up, so that the cluster knows when a pod can be given away. */
  readonly probed?: boolean;
}

/** A variable of a container. */
export type EnvironmentVariable =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly valueFrom: Readonly<Record<string, unknown>> };

/**
 * The pod of a sandbox: with no rights and nothing of the cluster in it, unless the operator's template says otherwise; image,
 * sizes, keys and volumes as the service needs them.
 */
export function podTemplate(settings: Settings, own: PodTemplate, kind: PodKind): Record<string, unknown> {
  const base = { metadata: { labels: {}, annotations: {} }, spec: defaults(settings) };
  const chosen = merged(base, own);
  return merged(chosen, required(settings, kind)) as Record<string, unknown>;
}

function defaults(settings: Settings): Record<string, unknown> {
  return {
    automountServiceAccountToken: false,
    // The variables would reveal services of the cluster to sandboxes.
    enableServiceLinks: false,
    // An ended agent server is restarted on demand; until then its pod shows why it ended.
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: GRACE_SECONDS,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: CONTAINER,
        imagePullPolicy: 'IfNotPresent',
        terminationMessagePath: TERMINATION_MESSAGE,
        resources: resourcesOf(settings),
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
    // In memory, and part of the pod's: what a node sees of its disk is not all that programs take of it.
    volumes: [{ name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: tmpSize(settings) } }],
  };
}

function tmpSize({ SANDBOX_MEMORY_MEBIBYTES }: Settings): string {
  return `${Math.min(MAX_TMP_MEBIBYTES, Math.ceil(SANDBOX_MEMORY_MEBIBYTES / 4))}Mi`;
}

/** As much memory is asked for as may be used, so that no node runs out of it; processors are shared. */
function resourcesOf({ SANDBOX_MEMORY_MEBIBYTES, SANDBOX_CPUS }: Settings): Record<string, unknown> {
  const memory = `${SANDBOX_MEMORY_MEBIBYTES}Mi`;
  return {
    requests: {
      cpu: `${Math.max(1, Math.round(SANDBOX_CPUS * 100))}m`,
      memory,
      'ephemeral-storage': NODE_DISK.requests,
    },
    limits: {
      cpu: `${Math.max(1, Math.round(SANDBOX_CPUS * 1_000))}m`,
      memory,
      'ephemeral-storage': NODE_DISK.limits,
    },
  };
}

function required(settings: Settings, kind: PodKind): Record<string, unknown> {
  const { labels, environment, secretName } = kind;
  const key = { name: 'key', secret: { secretName, defaultMode: 0o440 } };
  return {
    metadata: { labels: { ...labels, [MANAGED_BY]: SERVICE } },
    spec: {
      containers: [
        {
          name: CONTAINER,
          image: settings.SANDBOX_IMAGE,
          workingDir: '/',
          ports: [{ name: 'http', containerPort: AGENT_SERVER_PORT }],
          env: [
            ...environment,
            ...(secretName === null
              ? []
              : [{ name: 'OPENHANDS_AGENT_SERVER_CONFIG_PATH', value: `${KEY_FOLDER}/${KEY_FILE}` }]),
          ],
          volumeMounts: [
            { name: WORKSPACE_VOLUME, mountPath: WORKSPACE },
            // An empty volume has no folders, and the cluster makes this one.
            { name: WORKSPACE_VOLUME, mountPath: WORKING_DIR, subPath: 'project' },
            { name: 'tmp', mountPath: '/tmp' },
            ...(secretName === null ? [] : [{ name: key.name, mountPath: KEY_FOLDER, readOnly: true }]),
          ],
          ...(kind.probed === true && { startupProbe: probe(settings) }),
        },
      ],
      volumes: secretName === null ? [] : [key],
    },
  };
}

function probe({ SANDBOX_START_SECONDS }: Settings): Record<string, unknown> {
  return {
    httpGet: { path: '/ready', port: AGENT_SERVER_PORT },
    periodSeconds: 1,
    timeoutSeconds: 2,
    failureThreshold: SANDBOX_START_SECONDS,
  };
}
