import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';

/** Where clients of hosted services expect the folder of a sandbox. */
export const WORKSPACE = '/workspace';

/** The folders of a host that any user may read: programs and their configuration. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix',
  '/sys',
];
/** Memory, which is the host's. */
const SHARED_MEMORY = 64 * 1_024 * 1_024;
/** The files of a sandbox that replace those of the host. */
const REPLACED = ['/tmp', '/var/tmp', '/dev', '/proc', WORKSPACE];

/** The files that a sandbox sees. */
export interface FileView {
  /** Its folder; null where there is none. */
  readonly home: string | null;
  /** Other paths by which its processes know the folder. */
  readonly aliases: readonly string[];
  /** Whether it has a user of its own, who may see what the host shows to everybody. */
  readonly hasUser: boolean;
  /** The program that it runs, with its arguments. */
  readonly command: readonly string[];
  /** Folders that the program needs besides. */
  readonly shown: readonly string[];
  /** A file in place of `/etc/resolv.conf`; null where the host's will do. */
  readonly resolver: string | null;
  /** Whether what is in place of `/etc/passwd` and `/etc/group` is beside its folder; otherwise the host's will do. */
  readonly hasAccounts?: boolean;
  /** Folders of the service, of which nothing else is seen, wherever they are. */
  readonly closed: readonly string[];
}

/**
 * Arguments of `bwrap` that show these files. A sandbox with a user of its own sees the host, as other users do; one that
 * runs as the user of the service sees the system's programs, the agent server's, and nothing else of what that user may read.
 */
export function viewArguments(view: FileView): string[] {
  const { home, aliases, hasUser, command, shown, resolver, hasAccounts } = view;
  const system = hasUser ? ['--bind', '/', '/'] : SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]);
  const covered = hasUser ? [] : view.closed.flatMap(placesInSystem);
  const isSeen = (path: string): boolean => isBelow(path, SYSTEM) && !isBelow(path, covered);
  const programs = [...shown, ...command.flatMap(filesOf)].filter((path) => !isSeen(path));
  const hidden = hasUser ? programs.filter((path) => isBelow(path, REPLACED)) : programs;
  const folder = (name: string, ...places: string[]): string[] =>
    places.flatMap((place) => (home === null ? ['--tmpfs', place] : ['--bind', join(home, name), place]));
  return [
    ...system,
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...covered.flatMap((path) => ['--tmpfs', path]),
    '--size',
    String(SHARED_MEMORY),
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    ...folder('.tmp', '/tmp', '/var/tmp'),
    ...(home !== null && seesWorkspace(home, hasUser) ? folder('workspace', WORKSPACE) : []),
    ...hidden.flatMap((path) => ['--ro-bind', path, path]),
    ...(home === null ? [] : [home, ...aliases].flatMap((path) => ['--bind', home, path])),
    ...resolverArguments(resolver, hasUser),
    ...(home !== null && hasAccounts === true ? accountArguments(home) : []),
    ...covered.flatMap((path) => ['--remount-ro', path]),
  ];
}

/** Whether a sandbox has a part of its folder as {@link WORKSPACE}: who sees the host's files needs a place for it there. */
export function seesWorkspace(home: string, hasUser: boolean): boolean {
  return isFolder(join(home, 'workspace')) && (!hasUser || isFolder(WORKSPACE));
}

/** A link that a sandbox left in a folder's place is none. */
export function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The paths of a folder within the system's folders: below `/usr` and below a link to there, for example. */
function placesInSystem(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const real = realpathSync(folder);
  return SYSTEM.filter((root) => existsSync(root)).flatMap((root) => {
    const shown = realpathSync(root);
    return isBelow(real, [shown]) ? [root + real.slice(shown.length)] : [];
  });
}

function resolverArguments(file: string | null, hasUser: boolean): string[] {
  const shown = '/etc/resolv.conf';
  if (!existsSync(shown)) return [];
  const real = realpathSync(shown);
  if (file !== null) return ['--ro-bind', file, real];
  return hasUser || real === shown ? [] : ['--ro-bind', real, real];
}

function accountArguments(home: string): string[] {
  return ['passwd', 'group'].flatMap((name) => {
    const shown = join('/etc', name);
    return existsSync(shown) ? ['--ro-bind', `${home}.${name}`, realpathSync(shown)] : [];
  });
}

/** What a program is made of: its file, the environment of Python or Node that it is in, the service's own packages. */
export function filesOf(path: string): string[] {
  if (!isAbsolute(path) || !existsSync(path)) return [];
  const real = realpathSync(path);
  const found = [path, real, ...environmentOf(path), ...environmentOf(real), ...packagesOf(real)];
  return [...new Set(found)].filter((one) => existsSync(one));
}

function environmentOf(program: string): string[] {
  const root = dirname(dirname(program));
  if (basename(dirname(program)) !== 'bin') return [];
  if (program === realpathSync(process.execPath)) return [root];
  const config = join(root, 'pyvenv.cfg');
  if (!existsSync(config)) return [];
  const base = /^home\s*=\s*(.+)$/m.exec(readFileSync(config, 'utf8'))?.[1]?.trim();
  return base === undefined ? [root] : [root, dirname(base), dirname(realpathSync(base))];
}

/** Of a script of this service: its sources, and where its packages are looked for. */
function packagesOf(script: string): string[] {
  const sources = realpathSync(join(__dirname, '..', '..'));
  const root = dirname(sources);
  if (!isBelow(script, [root])) return [];
  const settings = ['package.json', 'tsconfig.json', '.swcrc'].map((name) => join(root, name));
  return [sources, ...settings, ...module.paths.filter((folder) => existsSync(folder))];
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => `${path}${sep}`.startsWith(folder + sep));
}
