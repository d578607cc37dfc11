import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentServerClient } from '../../../src/sandboxes/agent-server';
import { namespaceProblem } from '../../../src/drivers/launch/namespaces';
import { type SandboxRecord, SandboxService } from '../../support/agent-server/sandboxes';

const mayMount = namespaceProblem() === null;

/** Where a machine is made for tests, it has namespaces. */
const withMounts = mayMount || process.env.CI !== undefined ? describe : describe.skip;

withMounts('the folder /workspace of a sandbox', () => {
  let service: SandboxService;
  const client = new AgentServerClient();

  beforeAll(async () => {
    service = await SandboxService.start({ SANDBOX_DRIVER: 'embedded' });
  });

  afterAll(async () => {
    await client.onApplicationShutdown();
    await service.stop();
  });

  const run = async (sandbox: SandboxRecord, command: string) => {
    const target = { baseUrl: sandbox.exposed_urls![0]!.url, apiKey: sandbox.session_api_key! };
    return client.workspace.executeBash(target, { command, timeoutSeconds: 20 });
  };

  const restarted = async (id: string, between: () => Promise<void>): Promise<SandboxRecord> => {
    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    await between();
    await service.call('POST', `/api/v1/sandboxes/${id}/resume`);
    return service.until(id, 'RUNNING');
  };

  it('is its own, and is there again after a pause', async () => {
    const onTheHost = await readdir('/workspace').catch(() => []);
    const [one, two] = await Promise.all([service.createRunning(), service.createRunning()]);
    expect(await run(one, 'cd /workspace/project && echo mine > file && id -u > user')).toMatchObject({
      exitCode: 0,
    });
    expect(await readFile(join(service.home(one.id), 'workspace', 'project', 'file'), 'utf8')).toBe('mine\n');
    const { uid } = await stat(service.home(one.id));
    const project = join(service.home(one.id), 'workspace', 'project');
    expect((await readFile(join(project, 'user'), 'utf8')).trim()).toBe(String(uid));
    expect((await run(two, 'ls -A /workspace/project')).stdout).toBe('');
    const again = await restarted(one.id, () => Promise.resolve());
    expect((await run(again, 'cat /workspace/project/file')).stdout).toBe('mine\n');
    expect(await readdir('/workspace')).toEqual(onTheHost);
  });

  it('is where its conversations work, by that name', async () => {
    const { id } = await service.createRunning();
    const places = await service.app.db.query<unknown[]>('SELECT working_dir FROM sandboxes WHERE id = $1', [
      id,
    ]);
    expect(places).toEqual([{ working_dir: '/workspace/project' }]);
  });

  it('does not lead to where a link in its place points', async () => {
    const { id } = await service.createRunning();
    const open = join(service.dataDir, 'closed', 'open');
    await mkdir(open, { recursive: true });
    await writeFile(join(open, 'file'), 'hidden');
    const workspace = join(service.home(id), 'workspace');
    const after = await restarted(id, async () => {
      await rename(workspace, `${workspace}.old`);
      await symlink(open, workspace);
    });
    expect((await run(after, 'ls -A /workspace')).stdout).toBe('');
    await rm(workspace);
  });
});
