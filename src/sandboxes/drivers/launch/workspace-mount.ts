import { execFile } from 'node:child_process';
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where clients of hosted services expect the folder of a sandbox. */
const MOUNT_POINT = '/workspace';

/** It takes milliseconds, but the answer counts until the service stops: a busy host may take its time. */
const CHECK_MS = 30_000;
const NOBODY = 65_534;

/** A mount namespace, into which mounts of the host come, and out of which none go. */
const NAMESPACE = ['unshare', '--mount', '--propagation', 'slave', '--'] as const;
/** Mounts the first argument, and runs the others. */
const MOUNT = ['/bin/sh', '-c', `mount --bind "$1" ${MOUNT_POINT} && shift && exec "$@"`, 'sh'];

/** A command as it is started. */
export interface MountedCommand {
  readonly command: readonly string[];
  /** The user it is started as; null where it changes to the sandbox's user itself. */
  readonly uid: number | null;
  /** Variables that the mount allows for. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Shows each sandbox its own folder `workspace` as `/workspace` too, in a mount namespace of its own
 * (docs/sandboxes.md#the-folder-workspace). Linux, as root.
 */
export class WorkspaceMount {
  private found: Promise<string | null> | undefined;

  /**
   * @param folder that of the sandboxes
   * @param used what agent servers need: none of it may be hidden by the mount
   */
  constructor(
    private readonly folder: string,
    private readonly used: readonly string[],
  ) {}

  /** Why sandboxes cannot have it on this host; null where they can. */
  problem(): Promise<string | null> {
    this.found ??= this.findProblem();
    return this.found;
  }

  /**
   * A command of a sandbox with its folder mounted; unchanged where that cannot be.
   * @param home the folder of the sandbox, in which none of its processes is at work
   */
  async mounted(command: readonly string[], home: string, uid: number | null): Promise<MountedCommand> {
    const workspace = join(home, 'workspace');
    const unchanged = { command, uid, variables: {} };
    if (uid === null || (await this.problem()) !== null) return unchanged;
    // What the sandbox put in its place, a link for example, is not to be mounted by root.
    const entry = await lstat(workspace).catch(() => null);
    if (entry === null || !entry.isDirectory() || entry.uid !== uid) return unchanged;
    return {
      command: [...NAMESPACE, ...MOUNT, workspace, ...asUser(uid), ...command],
      uid: null,
      // Sockets are in it, whose paths have at most 107 bytes: terminals work wherever `DATA_DIR` is.
      variables: { TMUX_TMPDIR: MOUNT_POINT },
    };
  }

  private async findProblem(): Promise<string | null> {
    const hidden = await hiddenOne([this.folder, ...this.used]);
    if (hidden !== null) return `${hidden} would be hidden`;
    try {
      await mkdir(MOUNT_POINT, { mode: 0o755 }).catch(async (error: unknown) => {
        if (!(await lstat(MOUNT_POINT)).isDirectory()) throw error;
      });
      const [program, ...args] = [...NAMESPACE, ...MOUNT, this.folder, ...asUser(NOBODY), 'true'] as const;
      await run(program, args, { timeout: CHECK_MS });
      return null;
    } catch {
      return 'it takes Linux, the right to mount, and unshare, mount and setpriv of util-linux';
    }
  }
}

function asUser(uid: number): string[] {
  return ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--'];
}

/** The first of some paths, and of the folders where programs are looked for, that is below the mount point. */
async function hiddenOne(paths: readonly string[]): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const path of [...paths, process.execPath, ...folders].filter(isAbsolute)) {
    const real = await realpath(path).catch(() => path);
    if ([path, real].some((each) => `${each}${sep}`.startsWith(MOUNT_POINT + sep))) return path;
  }
  return null;
}
