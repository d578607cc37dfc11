import { join } from 'node:path';
import { ensurePython, type PythonEnvironment } from './python-environment';

/** The versions that the tests run, by their lock files; the newest one is the first. */
const LOCK_FILES = {
  '1.58.2': 'cloud-workspace-requirements.txt',
  '1.43.1': 'cloud-workspace-1.43.1-requirements.txt',
} as const;

export type CloudWorkspaceVersion = keyof typeof LOCK_FILES;

/** The newest version; with `EVERY_VERSION=1` all of them. */
export function cloudWorkspaceVersions(
  environment: NodeJS.ProcessEnv = process.env,
): readonly CloudWorkspaceVersion[] {
  return environment['EVERY_VERSION'] === '1' ? ['1.58.2', '1.43.1'] : ['1.58.2'];
}

/**
 * The environment of the cloud workspace of the software development kit, in which tests run programs of their own.
 * @throws Error with a message to print
 */
export function ensureCloudWorkspace(version: CloudWorkspaceVersion): Promise<PythonEnvironment> {
  return ensurePython({
    title: 'cloud workspace',
    packageName: 'openhands-workspace',
    module: null,
    command: 'python',
    folder: 'cloud-workspace',
    lockFile: join(__dirname, LOCK_FILES[version]),
    size: '500 MB',
  });
}
