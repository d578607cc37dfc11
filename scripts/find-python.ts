import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The oldest Python that the packages of the agent server and of Schemathesis accept. */
const OLDEST_MINOR = 12;

/** Prints the version, and fails where a virtual environment with pip cannot be made. */
const PROBE = 'import sys; print(*sys.version_info[:2]); import ensurepip, venv';

/** The message when there is no suitable Python. */
export const NO_PYTHON =
  `This needs Python 3.${OLDEST_MINOR} or newer with its venv module: install it ` +
  '(Debian and Ubuntu: python3 and python3-venv; macOS: brew install python@3.13) or set PYTHON to its path.';

/**
 * The command of a Python that can create these environments: PYTHON if it fits, the usual commands,
 * then the versions of pyenv. Each is tried by running it, since shims exist for versions that do not.
 * @throws Error with a sentence that says what to install
 */
export async function findPython(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const configured = environment['PYTHON'];
  const candidates = [
    ...(configured === undefined || configured === '' ? [] : [configured]),
    'python3.13',
    'python3.12',
    'python3.14',
    'python3',
    'python',
    ...(await pyenvVersions(environment)),
  ];
  for (const candidate of candidates) {
    if (await fits(candidate, environment)) return candidate;
  }
  throw new Error(NO_PYTHON);
}

async function fits(command: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    const { stdout } = await run(command, ['-c', PROBE], { env: environment, timeout: 20_000 });
    const [major, minor] = stdout.trim().split(' ').map(Number);
    return major === 3 && minor !== undefined && minor >= OLDEST_MINOR;
  } catch {
    return false;
  }
}

async function pyenvVersions(environment: NodeJS.ProcessEnv): Promise<string[]> {
  const root = environment['PYENV_ROOT'] ?? join(environment['HOME'] ?? homedir(), '.pyenv');
  const names = await readdir(join(root, 'versions')).catch(() => []);
  return names.map((name) => join(root, 'versions', name, 'bin', 'python'));
}
