import { execFile } from 'node:child_process';
import { chmod, cp, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Folders of a Python installation that an environment needs, and those in them that it does not. */
const LEFT_OUT = new Set(['test', '__pycache__', 'site-packages']);
const COPIED = ['bin', 'lib', 'include'];

/** A Python that unprivileged users can run, and the variables it needs. */
export interface ReachablePython {
  readonly command: string;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * When the service runs as root, sandboxes run as users of their own, who cannot enter root's home, where pyenv may
 * have installed Python. Such a Python is copied into a folder; any other is returned unchanged.
 */
export async function reachablePython(python: string, copyFolder: string): Promise<ReachablePython> {
  const [prefix, minor] = await placeOf(python);
  if (process.getuid?.() !== 0 || (await othersReach(await realpath(prefix)))) {
    return { command: python, variables: {} };
  }
  const filter = (path: string): boolean => !LEFT_OUT.has(basename(path));
  for (const name of COPIED) {
    await cp(join(prefix, name), join(copyFolder, name), { recursive: true, verbatimSymlinks: true, filter });
  }
  const variables = { LD_LIBRARY_PATH: join(copyFolder, 'lib') };
  return { command: join(copyFolder, 'bin', `python3.${minor}`), variables };
}

/** The folder that a Python was installed into. */
export async function pythonPrefix(python: string): Promise<string> {
  return realpath((await placeOf(python))[0]);
}

async function placeOf(python: string): Promise<[prefix: string, minor: string]> {
  const program = 'import sys; print(sys.base_prefix); print(sys.version_info[1])';
  const { stdout } = await run(python, ['-c', program]);
  const [prefix = '', minor = ''] = stdout.trim().split('\n');
  return [prefix, minor];
}

/** Wraps a command of the environment in a script that sets the variables its copied Python needs. */
export async function wrapCommand(command: string, module: string, python: ReachablePython): Promise<void> {
  const variables = Object.entries(python.variables).map(([name, value]) => `${name}='${value}'`);
  if (variables.length === 0) return;
  const script = `exec '${join(dirname(command), 'python')}' -m ${module} "$@"`;
  await writeFile(command, `#!/bin/sh\n${variables.join(' ')} ${script}\n`);
  await chmod(command, 0o755);
}

async function othersReach(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
