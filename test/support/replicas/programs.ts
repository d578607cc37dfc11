import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describeNeeding } from '../needs';

/** Also where Debian has programs that are servers. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The path of an installed program, or undefined. */
export function programPath(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find(isExecutable);
}

/**
 * Like `describe`, for tests that need a program. Without it they fail in continuous integration, which installs it;
 * elsewhere they are skipped.
 */
export function describeWith(program: string, name: string, tests: () => void): void {
  describeNeeding(programPath(program) !== undefined || process.env.CI !== undefined, program, name, tests);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
