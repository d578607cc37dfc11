import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HostileListener } from '../../support/agent-server/hostile-listener';
import { SandboxService } from '../../support/agent-server/sandboxes';
import { eventually } from '../../support/eventually';
import { call } from '../../support/service/http';
import type { StartTask } from '../../support/service/conversation-service';

const NEIGHBOUR = 1_234;
const asRoot = process.getuid?.() === 0 ? describe : describe.skip;

asRoot('a neighbour who takes the port of a sandbox', () => {
  let service: SandboxService;
  let neighbour: HostileListener | undefined;

  beforeEach(async () => {
    service = await SandboxService.start({ LLM_MODEL: 'openai/x', LLM_API_KEY: 'hidden-model-key' });
  });

  afterEach(async () => {
    await neighbour?.stop();
    await service.stop();
  });

  async function take(port: number): Promise<HostileListener> {
    const listener = (neighbour = HostileListener.start(port, NEIGHBOUR));
    await eventually(() => expect(listener.isListening).toBe(true));
    return listener;
  }

  async function begin(body: Record<string, unknown>): Promise<StartTask> {
    const { key } = service.caller;
    const begun = await call<StartTask>(service.app, 'POST', '/api/v1/app-conversations', { key, body });
    expect(begun.status).toBe(200);
    return begun.body;
  }

  it('gets nothing when the agent server died while the service was away', async () => {
    const { id, exposed_urls } = await service.createRunning();
    const task = await begin({ sandbox_id: id });
    const conversation = await eventually(async () => {
      const path = `/api/v1/app-conversations/start-tasks?ids=${task.id}`;
      const [now] = (await service.call<StartTask[]>('GET', path)).body;
      expect(now).toMatchObject({ status: 'READY' });
      return now!.app_conversation_id!;
    });
    const pid = await service.pid(id);
    let listener: HostileListener | undefined;
    await service.restart({}, async () => {
      process.kill(pid, 'SIGKILL');
      listener = await take(exposed_urls![0]!.port);
    });
    const path = `/api/v1/app-conversations/${conversation}/send-message`;
    const body = { role: 'user', content: [{ type: 'text', text: 'hidden words' }] };
    const { key } = service.caller;
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => call(service.app, 'POST', path, { key, body })),
    );
    for (const { status } of sent) expect([409, 503]).toContain(status);
    await begin({ sandbox_id: id, secrets: { TOKEN: 'hidden-token' } });
    await service.until(id, 'ERROR', 30_000);
    expect(listener?.connections).toBeGreaterThan(0);
    expect(listener?.received).toBe('');
  });

  it('gets nothing when it waits for the port, before the agent server listens', async () => {
    const program = join(service.dataDir, 'never-listens.cjs');
    await writeFile(program, 'setInterval(() => undefined, 1000);', { mode: 0o644 });
    await service.restart({
      AGENT_SERVER_COMMAND: `${process.execPath} ${program}`,
      SANDBOX_START_SECONDS: '20',
    });
    const { id } = await service.create();
    const port = await eventually(async () => {
      const [row] = await service.app.db.query<{ port: number | null }[]>(
        'SELECT port FROM sandboxes WHERE id = $1',
        [id],
      );
      expect(row?.port).toEqual(expect.any(Number));
      return row!.port!;
    });
    const listener = (neighbour = HostileListener.start(port, NEIGHBOUR));
    const failed = await service.until(id, 'ERROR', 60_000);
    expect(failed.status_detail).toMatch(/did not answer within/);
    expect(listener.received).toBe('');
  });

  it('gets nothing when the sandbox is paused, which runs on at another port', async () => {
    const { id, exposed_urls } = await service.createRunning();
    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    const listener = await take(exposed_urls![0]!.port);
    await service.call('POST', `/api/v1/sandboxes/${id}/resume`);
    const resumed = await service.until(id, 'RUNNING');
    expect(resumed.exposed_urls![0]!.port).not.toBe(exposed_urls![0]!.port);
    expect(listener.received).toBe('');
  });

  it('gets nothing of a sandbox whose listener has no known user', async () => {
    const { id, exposed_urls } = await service.createRunning();
    const pid = await service.pid(id);
    await service.app.db.query('UPDATE sandboxes SET listener_uid = NULL WHERE id = $1', [id]);
    let listener: HostileListener | undefined;
    await service.restart({}, async () => {
      process.kill(pid, 'SIGKILL');
      listener = await take(exposed_urls![0]!.port);
    });
    await service.until(id, 'ERROR', 30_000);
    expect(listener?.received).toBe('');
  });
});
