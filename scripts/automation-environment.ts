import { join } from 'node:path';
import { ensurePython, type PythonEnvironment } from './python-environment';

/**
 * The environment of the service for automations, and of the programs that its automations run.
 * @throws Error with a message to print
 */
export function ensureAutomation(): Promise<PythonEnvironment> {
  return ensurePython({
    title: 'service for automations',
    packageName: 'openhands-automation',
    module: null,
    command: 'python',
    folder: 'automation',
    lockFile: join(__dirname, 'automation-requirements.txt'),
    size: '650 MB',
  });
}
