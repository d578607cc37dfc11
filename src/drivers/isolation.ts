import { statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { z } from 'zod';
import { StartError } from '../kernel/common';
import type { Settings } from '../kernel/config';
import { programFile } from './agent-server-program';
import { filesOf, isFolder } from './launch/file-view';
import { namespaceProblem } from './launch/namespaces';

/**
 * What keeps the processes of sandboxes from the service and from one another (docs/sandboxes.md#isolation).
 *
 * - `namespaces`: each has namespaces of its own and, where the service is root, a user.
 * - `confined`: they run as the user of the service, and offer neither commands nor files outside their folder.
 * - `none`: they run as the user of the service and may do what it may.
 */
export const isolationSchema = z.enum(['namespaces', 'confined', 'none']);
export type Isolation = z.infer<typeof isolationSchema>;

/** Whether this process may run others as users of their own. */
export function canHaveUsers(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Fails the start of a service whose sandboxes would isolate nothing although nobody said that this is fine.
 * @throws StartError
 */
export function checkSandboxIsolation(settings: Settings): void {
  const { SANDBOX_DRIVER, SANDBOX_ISOLATION, APP_ROLE } = settings;
  if (SANDBOX_DRIVER !== 'process' || APP_ROLE === 'api' || SANDBOX_ISOLATION === 'none') return;
  const refusal = isolationRefusal();
  if (refusal !== null) throw new StartError(refusal);
}

/** Whether sandboxes that may run without namespaces of their own have all that the user of the service has. */
export function isolatesNothing({ SANDBOX_ISOLATION }: Settings): boolean {
  return SANDBOX_ISOLATION === 'none' && namespaceProblem() !== null;
}

/** What to do where sandboxes cannot have namespaces of their own; null where they can. */
export function isolationRefusal(): string | null {
  const problem = namespaceProblem();
  if (problem === null) return null;
  return (
    `SANDBOX_DRIVER=process gives each sandbox namespaces of its own, and ${problem}. Provide what ` +
    'docs/sandboxes.md#isolation names, or set SANDBOX_ISOLATION=none if everyone with a key may have all that the user of the service has.'
  );
}

/** The first folder on the way to one of the paths that other users cannot enter, or null. */
export function closedFolderOf(paths: readonly string[]): string | null {
  for (const path of paths) {
    const closed = closedFolder(path);
    if (closed !== null) return closed;
  }
  return null;
}

/** Folders that a command needs: those of the files it names, and of what these are made of. */
export function foldersOf([program = '', ...args]: readonly string[]): string[] {
  const named = [programFile(program) ?? program, ...args].filter(isAbsolute);
  const files = named.flatMap((path) => [path, ...filesOf(path)]);
  return files.map((path) => (isFolder(path) ? path : dirname(path)));
}

function closedFolder(path: string): string | null {
  const parts = path.split('/').filter((part) => part !== '');
  for (let depth = 0; depth <= parts.length; depth++) {
    const folder = `/${parts.slice(0, depth).join('/')}`;
    const entry = statSync(folder, { throwIfNoEntry: false });
    // The service creates missing ones.
    if (entry === undefined) return null;
    if ((entry.mode & 0o1) === 0) return folder;
  }
  return null;
}
