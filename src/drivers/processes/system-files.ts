import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'sandbox';
const SHELLS = ['/bin/bash', '/bin/sh'];

/** What a sandbox may have of `/etc` that is not the host's: each is a file beside its folder, `<folder>.<name>`. */
export const SYSTEM_FILES = ['passwd', 'group', 'resolv'] as const;

/**
 * Writes the lists of users and groups that a sandbox is to have in place of the host's: without a name for its user, programs
 * such as `ssh`, `whoami` and `git` do not work.
 */
export async function writeAccounts(
  home: string,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<void> {
  const shell = SHELLS.find((path) => existsSync(path)) ?? '';
  const own = {
    passwd: `${NAME}:x:${uid}:${gid}:${NAME}:${home}:${shell}\n`,
    group: `${NAME}:x:${gid}:\n`,
  };
  for (const file of ['passwd', 'group'] as const) {
    const ofHost = await readFile(join('/etc', file), 'utf8').catch(() => '');
    await writeSystemFile(home, file, own[file] + ofHost);
  }
}

/** Writes one of them. @returns its path */
export async function writeSystemFile(
  home: string,
  name: (typeof SYSTEM_FILES)[number],
  text: string,
): Promise<string> {
  const file = `${home}.${name}`;
  await writeFile(file, text);
  // Whatever the service's own files are: its sandboxes read these.
  await chmod(file, 0o644);
  return file;
}
