import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOfNode, ROOT, scriptOf } from '../../support/compiled/compiled-sources';
import { otherNode } from '../../support/service/other-node';
import { ServiceProcess } from '../../support/service/service-process';

const NODE_18 = otherNode('18.20.8');
const ISOLATES_NOTHING = { SANDBOX_DRIVER: 'process', SANDBOX_ISOLATION: 'none' };
const USER = 12_345;
const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('a start that is refused, before anything is made', () => {
  let parent: string;
  let dataDir: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'refused-'));
    dataDir = join(parent, 'data');
    await mkdir(dataDir);
  });
  afterEach(async () => {
    await rm(parent, { recursive: true, force: true });
  });

  /** @returns what it says */
  async function refusal(env: Readonly<Record<string, string>>, uid?: number): Promise<string> {
    const service = ServiceProcess.start({ DATA_DIR: dataDir, ...env }, { uid });
    expect(await service.ended).toBe(1);
    expect(service.output).toBe('');
    expect(await readdir(dataDir)).toEqual([]);
    return service.errors;
  }

  it('says which Node it needs', async () => {
    expect(await refusal(NODE_18)).toBe(
      `Node 20.19 or newer is needed, and this is 18.20.8 (${process.execPath}): ` +
        'install a newer one, run npm ci, and start again.\n',
    );
  });

  it('says how to install the agent server that there is none of', async () => {
    const mend =
      'Install the agent server and start with it: ' +
      'SANDBOX_DRIVER=process AGENT_SERVER_COMMAND="$(npm run --silent agent-server:install)" npm start\n';
    const starts = 'which SANDBOX_DRIVER=process starts for each sandbox.';
    expect(await refusal({ ...ISOLATES_NOTHING, PATH: parent })).toBe(
      `AGENT_SERVER_COMMAND: there is no program agent-server in PATH, ${starts} ${mend}`,
    );
    // A folder, a file that is no program, and one that only the folder of the service leads to.
    await writeFile(join(parent, 'file'), '');
    for (const path of [parent, join(parent, 'file'), 'scripts/start.mjs'])
      expect(await refusal({ ...ISOLATES_NOTHING, AGENT_SERVER_COMMAND: `${path} --port` })).toBe(
        `AGENT_SERVER_COMMAND: there is no program at ${path}, ${starts} ${mend}`,
      );
  });

  it('says that DATA_DIR is no folder', async () => {
    const file = join(parent, 'file');
    await writeFile(file, '');
    expect(await refusal({ DATA_DIR: file })).toBe(
      `DATA_DIR ${file} cannot be used: it is no folder. Name a folder, or the path of a new one.\n`,
    );
    expect(await refusal({ DATA_DIR: join(file, 'data') })).toBe(
      `DATA_DIR ${join(file, 'data')} cannot be used: there is a file on its path. Name a folder, or the path of a new one.\n`,
    );
  });

  asRoot('says that it may not write to DATA_DIR', async () => {
    await chmod(parent, 0o755);
    await chown(dataDir, 0, 0);
    const sentence = `user ${USER} may not write there. Give the folder to this user, or name another one.\n`;
    for (const path of [dataDir, join(dataDir, 'new')])
      expect(await refusal({ DATA_DIR: path }, USER)).toBe(`DATA_DIR ${path} cannot be used: ${sentence}`);
  });
});

it('the command line says which Node it needs', () => {
  const { path, execArgv } = scriptOf(join(ROOT, 'src', 'cli'));
  const env = { ...environmentOfNode(), ...NODE_18 };
  const { status, stderr } = spawnSync(process.execPath, [...execArgv, path, 'migrate'], {
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^Node 20\.19 or newer is needed, .*\n$/)]);
});
