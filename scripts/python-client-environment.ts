import { join } from 'node:path';
import { ensurePython, type PythonEnvironment } from './python-environment';

/**
 * The environment of openapi-python-client, with mypy, which checks what it generates.
 * @throws Error with a message to print
 */
export function ensurePythonClient(): Promise<PythonEnvironment> {
  return ensurePython({
    title: 'openapi-python-client',
    packageName: 'openapi-python-client',
    module: 'openapi_python_client',
    command: 'openapi-python-client',
    lockFile: join(__dirname, 'python-client-requirements.txt'),
    size: '120 MB',
  });
}
