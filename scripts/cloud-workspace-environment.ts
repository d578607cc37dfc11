import { join } from 'node:path';
import { ensurePython, type PythonEnvironment } from './python-environment';

const NEWEST = '1.58.2';

/** The versions that are known to work, each with a lock file (docs/clients.md). */
const VERSIONS = ['1.43.1', NEWEST];

/**
 * The version of the software development kit that tests run: CLOUD_WORKSPACE_VERSION, the newest without.
 * @throws Error with a message to print
 */
export function cloudWorkspaceVersion(environment: NodeJS.ProcessEnv = process.env): string {
  const wanted = environment['CLOUD_WORKSPACE_VERSION'];
  if (wanted === undefined || wanted === '') return NEWEST;
  if (VERSIONS.includes(wanted)) return wanted;
  throw new Error(`CLOUD_WORKSPACE_VERSION is ${wanted}; known are ${VERSIONS.join(' and ')}.`);
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
