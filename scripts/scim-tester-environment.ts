import { join } from 'node:path';
import { ensurePython, type PythonEnvironment } from './python-environment';

/**
 * The environment of scim2-tester, which checks SCIM servers.
 * @throws Error with a message to print
 */
export function ensureScimTester(): Promise<PythonEnvironment> {
  return ensurePython({
    title: 'scim2-tester',
    packageName: 'scim2-tester',
    module: null,
    // It has no command of its own.
    command: 'python',
    folder: 'scim2-tester',
    lockFile: join(__dirname, 'scim-tester-requirements.txt'),
    size: '40 MB',
  });
}
