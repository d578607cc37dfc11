import { join } from 'node:path';
import { ensurePython, type PythonEnvironment } from './python-environment';

/**
 * The environment of the FastAPI service that measurements compare with.
 * @throws Error with a message to print
 */
export function ensureFastApi(): Promise<PythonEnvironment> {
  return ensurePython({
    title: 'FastAPI',
    packageName: 'fastapi',
    module: 'uvicorn',
    command: 'uvicorn',
    folder: 'fastapi',
    lockFile: join(__dirname, 'fastapi-requirements.txt'),
    size: '100 MB',
  });
}
