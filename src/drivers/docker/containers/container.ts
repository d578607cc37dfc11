import type { ContainerCreateOptions, ContainerInspectInfo } from 'dockerode';
import { environmentWithoutKeys, modelEnvironment } from '../../agent-server-environment';
import type { Settings } from '../../../kernel/config';
import { PORT, type ContainerSpec } from '../names';

const MEBIBYTE = 1024 * 1024;
const NANO = 1e9;
const MAX_OPEN_FILES = 4_096;

/** Paths inside a container. */
export const PATHS = {
  /** The volume; its top belongs to root, so that the file with the keys stays in its place. */
  volume: '/workspace',
  workingDir: '/workspace/project',
  home: '/workspace/.home',
  state: '/workspace/.agent-server',
  keys: '/workspace/.agent-server.json',
} as const;

/**
 * The container of a spec: nothing in it is writable but its volume and `/tmp`, its processes have no capability and
 * gain none, and its keys are neither in its environment nor in its labels.
 * @param published the address of the engine's host at which its port is published; null for none
 */
export function containerOf(
  settings: Settings,
  spec: ContainerSpec,
  { uid, published }: { readonly uid: number; readonly published: string | null },
): ContainerCreateOptions {
  const memory = settings.SANDBOX_MEMORY_MEBIBYTES * MEBIBYTE;
  const port = `${PORT}/tcp`;
  return {
    name: spec.name,
    Image: settings.SANDBOX_IMAGE ?? '',
    User: `${uid}:${uid}`,
    WorkingDir: PATHS.volume,
    Env: Object.entries({ ...environmentOf(settings), ...spec.environment }).map(
      ([variable, value]) => `${variable}=${value}`,
    ),
    Labels: spec.labels,
    ExposedPorts: { [port]: {} },
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      NetworkMode: spec.store,
      // Without copying the contents of the image into it.
      Binds: [`${spec.store}:${PATHS.volume}:nocopy`],
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Memory: memory,
      // The same as the memory limit: no swap.
      MemorySwap: memory,
      NanoCpus: Math.round(settings.SANDBOX_CPUS * NANO),
      PidsLimit: settings.SANDBOX_PROCESSES,
      Ulimits: [
        { Name: 'nofile', Soft: MAX_OPEN_FILES, Hard: MAX_OPEN_FILES },
        // The host might store core dumps on its own disk.
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      // It counts as memory. Its own, since some engines give it the mode that the image has there.
      Tmpfs: {
        '/tmp': `rw,exec,nosuid,nodev,mode=1777,uid=${uid},gid=${uid},size=${Math.floor(memory / 4)}`,
      },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '2' } },
      RestartPolicy: { Name: 'no' },
      ...(published !== null && { PortBindings: { [port]: [{ HostIp: published, HostPort: '' }] } }),
    },
  };
}

/** The name of the volume with the workspace: an image may make others, in any order. */
export function volumeOf({ Mounts }: Pick<ContainerInspectInfo, 'Mounts'>): string | undefined {
  return Mounts.find(({ Destination }) => Destination === PATHS.volume)?.Name;
}

function environmentOf(settings: Settings): Record<string, string> {
  return {
    ...environmentWithoutKeys(settings, { home: PATHS.home, port: PORT }),
    ...modelEnvironment(settings),
    TMUX_TMPDIR: '/tmp',
    OPENHANDS_AGENT_SERVER_CONFIG_PATH: PATHS.keys,
    OH_WORKSPACE_PATH: PATHS.workingDir,
    OH_CONVERSATIONS_PATH: `${PATHS.state}/conversations`,
    OH_BASH_EVENTS_DIR: `${PATHS.state}/bash_events`,
  };
}
