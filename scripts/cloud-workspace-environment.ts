import { join } from 'node:path';
import { chosenVersion } from './chosen-version';
import { ensurePython, type PythonEnvironment } from './python-environment';

/** The versions that are known to work, each with a lock file (docs/clients.md). */
const VERSIONS = ['1.43.1', '1.58.2'] as const;

/**
 * The version of the software development kit that tests run: CLOUD_WORKSPACE_VERSION, the newest without.
 * @throws Error with a message to print
 */
export function cloudWorkspaceVersion(environment: NodeJS.ProcessEnv = process.env): string {
  return chosenVersion('CLOUD_WORKSPACE_VERSION', VERSIONS, environment);
}

/**
 * The environment of the cloud workspace of the software development kit, in which tests run programs of their own.
 * @throws Error with a message to print
 */
export function ensureCloudWorkspace(): Promise<PythonEnvironment> {
  return ensurePython({
    title: 'cloud workspace',
    packageName: 'openhands-workspace',
    module: null,
    command: 'python',
    folder: 'cloud-workspace',
    lockFile: join(__dirname, 'cloud-workspace-requirements', `${cloudWorkspaceVersion()}.txt`),
    size: '500 MB',
  });
}
