import { join } from 'node:path';
import { ensurePython, type PythonEnvironment } from './python-environment';

/**
 * The environment in which events of OCSF are validated.
 * @throws Error with a message to print
 */
export function ensureOcsf(): Promise<PythonEnvironment> {
  return ensurePython({
    title: 'ocsf-json-schema',
    packageName: 'ocsf-json-schema',
    module: null,
    // It has no command of its own.
    command: 'python',
    folder: 'ocsf-json-schema',
    lockFile: join(__dirname, 'ocsf-requirements.txt'),
    size: '50 MB',
  });
}
