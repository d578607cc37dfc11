import { join } from 'node:path';
import { ensurePython, type PythonEnvironment } from './python-environment';

/**
 * The environment of the library of Standard Webhooks for Python.
 * @throws Error with a message to print
 */
export function ensureStandardWebhooks(): Promise<PythonEnvironment> {
  return ensurePython({
    title: 'library of Standard Webhooks',
    packageName: 'standardwebhooks',
    module: null,
    command: 'python',
    folder: 'standardwebhooks',
    lockFile: join(__dirname, 'standardwebhooks-requirements.txt'),
    size: '20 MB',
  });
}
