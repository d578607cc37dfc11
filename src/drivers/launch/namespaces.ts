import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type FileView, viewArguments } from './file-view';
import type { NetworkReach } from './network-reach';

/** It takes half a second, but the answer counts until the service stops: a busy host may take its time. */
const CHECK_MS = 30_000;

/** A way to nowhere, for a program that is only asked something. */
export const NO_REACH: Isolated['reach'] = {
  passing: ['--config-net', '-t', 'none', '-T', 'none', '-u', 'none', '-U', 'none'],
  rules: ['', ''],
};

/** A command that is to run in namespaces of its own. */
interface Isolated extends Omit<FileView, 'hasUser'> {
  /** The user it runs as; null for the user of this process. */
  readonly uid: number | null;
  /** A process in whose user namespace its own is to be (see {@link around}); null for that of this process. */
  readonly within: number | null;
  readonly reach: Pick<NetworkReach, 'passing' | 'rules'>;
}

/** A device that all may open, as it is on most systems, seen by one sandbox only. */
const TUNNEL =
  '{ mount -t tmpfs -o mode=755,size=64k none /dev/net && mknod -m 666 /dev/net/tun c 10 200; } 2>/dev/null; exec "$@"';

const WITH_TUNNEL = ['unshare', '--mount', '--propagation', 'private', '--', '/bin/sh', '-c', TUNNEL, 'sh'];

/** Without what shells and bwrap add to the environment. */
const CLEAN = ['env', '-u', 'PWD', '-u', 'OLDPWD', '-u', 'SHLVL'];

/** What it takes to enter the namespaces of others in a user namespace, and to become their users. */
const ENTERING = ['sys_admin', 'sys_chroot', 'sys_ptrace', 'sys_resource', 'setuid', 'setgid'].map(
  (name) => `cap_${name}`,
);

/** The output of `pasta` is of no use in the log of a sandbox; file 3 is the log meanwhile. */
const QUIETLY = 'exec "$@" 3>&2 2>/dev/null';
const ALOUD = 'exec "$@" 3>&2';

/**
 * Runs a command once a line was read, so that nothing unrecorded runs. `ip` has the network's rules before: what it takes
 * to change them is given away with the next program.
 */
const ONCE_RECORDED = [
  'exec 2>&3 3>&-',
  'rules() { [ -z "$2" ] || printf %s "$2" | PATH="$PATH:/usr/sbin:/sbin" ip "$1" -batch -; }',
  'rules -4 "$1" && rules -6 "$2" && shift 2 && read -r go && exec "$@" </dev/null',
].join('\n');

/**
 * The command that runs another one in namespaces of its own for processes, files, network, shared memory and names, with no
 * rights but those of its user (docs/decisions/0046-sandboxes-in-namespaces.md). It waits for a line on its input. The first
 * process of the namespace for processes is the ancestor of all others, also of `pasta`, which passes on what is for its network:
 * with it, all of them end. `unshare` makes a user namespace in which that takes no rights of this host.
 */
export function isolated({ uid, within, reach, home, ...view }: Isolated): string[] {
  const own = uid ?? process.getuid?.() ?? 0;
  const group = uid ?? process.getgid?.() ?? 0;
  const namespaces = [
    '--user',
    '--map-root-user',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount',
    '--mount-proc',
  ];
  return [
    ...(uid === null ? [] : WITH_TUNNEL),
    ...(within === null ? [] : enter(within, uid)),
    ...(uid === null ? [] : asUser(uid)),
    '/bin/sh',
    '-c',
    QUIETLY,
    'sh',
    'unshare',
    ...namespaces,
    '--',
    'pasta',
    '--foreground',
    '--quiet',
    '--netns-only',
    ...reach.passing,
    '--',
    'unshare',
    '--mount',
    '--mount-proc',
    '--',
    '/bin/sh',
    '-c',
    ONCE_RECORDED,
    'sh',
    ...reach.rules,
    'bwrap',
    ...viewArguments({ home, ...view, hasUser: uid !== null }),
    '--unshare-user',
    '--uid',
    String(own),
    '--gid',
    String(group),
    '--cap-drop',
    'ALL',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--hostname',
    'sandbox',
    '--die-with-parent',
    '--chdir',
    home ?? '/',
    '--',
    ...CLEAN,
    ...view.command,
  ];
}

/**
 * The command that runs another one, which may enter the namespaces of sandboxes that are made {@link Isolated.within} its own user
 * namespace. It has no rights of this host, no network and no files but those of programs. It waits for a line on its input, which
 * it is to get once its user namespace has its users: 0 there is the one that it runs as.
 */
export function around({
  uid,
  folder,
  ...view
}: Pick<Isolated, 'uid' | 'command' | 'shown' | 'closed'> & { readonly folder: string }): string[] {
  return [
    ...(uid === null ? [] : asUser(uid)),
    'unshare',
    '--user',
    '--',
    '/bin/sh',
    '-c',
    'read -r go && exec "$@"',
    'sh',
    'bwrap',
    ...viewArguments({ home: null, aliases: [], resolver: null, hasUser: uid !== null, ...view }),
    '--tmpfs',
    folder,
    '--chdir',
    folder,
    '--unshare-net',
    '--unshare-ipc',
    '--unshare-uts',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...ENTERING.flatMap((capability) => ['--cap-add', capability]),
    '--',
    ...CLEAN,
    ...view.command,
  ];
}

function enter(pid: number, uid: number | null): string[] {
  return [
    'nsenter',
    '--user',
    '--target',
    String(pid),
    ...(uid === null ? ['--preserve-credentials'] : []),
    '--',
  ];
}

/**
 * A prefix that makes root a user who may make user namespaces, also where others must not: the right to it is one of this
 * host's until the namespace is made.
 */
function asUser(uid: number): string[] {
  return [
    'setpriv',
    '--reuid',
    String(uid),
    '--regid',
    String(uid),
    '--clear-groups',
    '--inh-caps=+sys_admin',
    '--ambient-caps=+sys_admin',
    '--',
  ];
}

const PROGRAMS = {
  unshare: 'util-linux',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  bwrap: 'bubblewrap',
  pasta: 'passt',
  ip: 'iproute2',
};
const NOBODY = 65_534;

let found: { readonly problem: string | null } | undefined;

/** Why sandboxes cannot have namespaces of their own on this host; null where they can. Asked once. */
export function namespaceProblem(): string | null {
  found ??= { problem: findProblem() };
  return found.problem;
}

/** Whether there is a program of this name; running each would take longer than all else at a start. */
function isThere(program: string): boolean {
  const folders = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`.split(':');
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function findProblem(): string | null {
  if (process.platform !== 'linux') return 'they take Linux';
  const missing = Object.entries(PROGRAMS).filter(([program]) => !isThere(program));
  if (missing.length > 0)
    return `${missing.map(([program, of]) => `${program} (of ${of})`).join(', ')} cannot be run`;
  const [program = '', ...args] = isolated({
    uid: process.getuid?.() === 0 ? NOBODY : null,
    within: null,
    home: null,
    aliases: [],
    resolver: null,
    closed: [],
    shown: [],
    reach: NO_REACH,
    command: ['true'],
  });
  const aloud = args.map((arg) => (arg === QUIETLY ? ALOUD : arg));
  const { status, stderr, error } = spawnSync(program, aloud, {
    cwd: '/',
    input: '\n',
    timeout: CHECK_MS,
    stdio: ['pipe', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status === 0) return null;
  const said = stderr.trim().split('\n').at(-1);
  return `this system does not let the service make them (${said || (error?.message ?? `ended with ${status}`)})`;
}
