import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Also where Debian has programs that are servers. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The path of an installed program, or undefined. */
export function programPath(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find(isExecutable);
}

/**
 * Like `describe`, for tests that need a program. Without it they fail in continuous integration, which installs it;
 * elsewhere they are skipped with a message that says what is missing.
 */
export function describeWith(program: string, name: string, tests: () => void): void {
  if (programPath(program) !== undefined || process.env.CI !== undefined) {
    describe(name, tests);
    return;
  }
  process.stderr.write(`Skipped: ${name}. ${program} is not installed.\n`);
  describe.skip(name, tests);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
