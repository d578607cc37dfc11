import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentServerVersion, ensureAgentServer } from '../../scripts/agent-server-environment';
import { NO_PYTHON } from '../../scripts/find-python';

/** Behaves like a Python of some version, as far as it is asked; notes each installation. */
const FAKE_PYTHON = `#!/bin/sh
case "$1 $2 $3" in
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  "-m pip "*) [ -z "$FAIL_PIP" ] || { echo 'No such package.' >&2; exit 1; }
    echo installed >> "$(dirname "$0")/../../installations"
    touch "$(dirname "$0")/agent-server" ;;
  "-c "*ensurepip*) echo "$VERSION" ;;
  "-c "*base_prefix*) printf '/usr\\n12\\n' ;;
esac
`;

let folder: string;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'environment-'));
  lines = [];
  await mkdir(join(folder, 'commands'));
  await writeFile(join(folder, 'lock.txt'), 'openhands-agent-server==9.8.7\nother==1\n');
  await writeFile(join(folder, 'python'), FAKE_PYTHON);
  await chmod(join(folder, 'python'), 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function ensure(environment: Record<string, string> = {}) {
  return ensureAgentServer({
    cacheFolder: join(folder, 'cache'),
    lockFile: join(folder, 'lock.txt'),
    environment: {
      PATH: process.env['PATH']!,
      PYENV_ROOT: folder,
      PYTHON: join(folder, 'python'),
      VERSION: '3 12',
      ...environment,
    },
    log: (line) => lines.push(line),
  });
}

const installations = () => readFile(join(folder, 'cache', 'installations'), 'utf8');

it('makes the environment once, and says so', async () => {
  const first = await ensure();
  expect(first.version).toBe('9.8.7');
  await expect(stat(first.command)).resolves.toBeDefined();
  expect(lines).toEqual([expect.stringContaining('9.8.7'), expect.stringContaining('is installed')]);
  expect(await ensure()).toEqual(first);
  expect(await installations()).toBe('installed\n');
});

it('makes anew what a killed run left half-made', async () => {
  const { directory } = await ensure();
  await rm(join(directory, 'complete'));
  await writeFile(join(directory, 'left-over'), '');
  await writeFile(`${directory}.pid`, '999999999');
  await ensure();
  expect(await installations()).toBe('installed\ninstalled\n');
  await expect(stat(join(directory, 'left-over'))).rejects.toThrow('ENOENT');
});

it('makes another one for another lock file', async () => {
  const first = await ensure();
  await writeFile(join(folder, 'lock.txt'), 'openhands-agent-server==9.8.7\nother==2\n');
  expect((await ensure()).directory).not.toBe(first.directory);
});

it('lets two runs at once make it once', async () => {
  await Promise.all([ensure(), ensure()]);
  expect(await installations()).toBe('installed\n');
});

it('says what to install without Python 3.12 or newer', async () => {
  const nothing = join(folder, 'commands');
  for (const environment of [{ PYTHON: '' }, { PYTHON: '/does/not/exist' }, { VERSION: '3 11' }]) {
    await expect(ensure({ PATH: nothing, ...environment })).rejects.toThrow(NO_PYTHON);
  }
});

it('shows the end of the output of an installation that fails, and tries again the next time', async () => {
  await expect(ensure({ FAIL_PIP: '1' })).rejects.toThrow('No such package.');
  await expect(ensure()).resolves.toBeDefined();
});

it.each([
  [{}, '1.58.2'],
  [{ AGENT_SERVER_VERSION: '' }, '1.58.2'],
  [{ AGENT_SERVER_VERSION: '1.43.1' }, '1.43.1'],
])('is of the newest version, or of the one that is named: %j', (environment, version) => {
  expect(agentServerVersion(environment)).toBe(version);
});

it('names the versions there are for one that is not known', async () => {
  await expect(ensure({ AGENT_SERVER_VERSION: '1.2.3' })).rejects.toThrow(
    'AGENT_SERVER_VERSION is 1.2.3; known are 1.43.1 and 1.58.2.',
  );
});
