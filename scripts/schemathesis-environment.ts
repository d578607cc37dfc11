import { join } from 'node:path';
import { ensurePython, type PythonEnvironment } from './python-environment';

/**
 * The environment of Schemathesis, which invents requests from the OpenAPI document.
 * @throws Error with a message to print
 */
export function ensureSchemathesis(): Promise<PythonEnvironment> {
  return ensurePython({
    title: 'Schemathesis',
    packageName: 'schemathesis',
    module: 'schemathesis.cli',
    command: 'schemathesis',
    lockFile: join(__dirname, 'schemathesis-requirements.txt'),
    size: '150 MB',
  });
}
