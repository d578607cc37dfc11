import { DataSource, EntityManager } from 'typeorm';
import { DomainEvents, isOfService } from '../../../src/kernel/domain-events';
import { SandboxLifecycle, SandboxReader, SessionKeyVerifier } from '../../../src/sandboxes/sandboxes';
import { eventually } from '../../support/eventually';
import { SandboxService } from '../../support/agent-server/sandboxes';

describe('what other modules have of sandboxes', () => {
  let service: SandboxService;

  beforeAll(async () => {
    service = await SandboxService.start();
  });

  afterAll(async () => {
    await service.stop();
  });

  const get = <T>(token: abstract new (...args: never[]) => T): T => service.app.app.get<T>(token);

  it('is a reader that tells where a running one is, with the key', async () => {
    const record = await service.createRunning();
    const view = await get(SandboxReader).byId(record.id);
    expect(view).toMatchObject({
      id: record.id,
      orgId: service.caller.orgId,
      createdByUserId: service.caller.userId,
      builtInModel: null,
      status: 'RUNNING',
      stopping: false,
      publicUrl: record.exposed_urls![0]!.url,
      conversationBase: record.exposed_urls![0]!.url,
      sessionApiKey: record.session_api_key,
      agentServer: {
        baseUrl: record.exposed_urls![0]!.url,
        apiKey: record.session_api_key,
      },
    });
    // As its agent sees it: where sandboxes have namespaces, below a folder of the same name in each.
    expect(view!.workingDir).toMatch(new RegExp(`^(${service.home(record.id)}|/workspace/project$)`));
  });

  it('are created in a transaction, and not at all when that is rolled back', async () => {
    const { orgId, userId } = service.caller;
    let id = '';
    await expect(
      get(DataSource).transaction(async (tx) => {
        id = await get(SandboxLifecycle).create(tx, { orgId, userId, byLink: false });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await get(SandboxReader).byId(id)).toBeNull();
  });

  it('publish every change of their status in its transaction', async () => {
    const changes: { id: string; status: string }[] = [];
    const note: Parameters<DomainEvents['register']>[1] = (event, context) => {
      expect(context).toBeInstanceOf(EntityManager);
      if (event.kind === 'sandbox.status_changed' && isOfService(event))
        changes.push({ id: event.sandbox_id, status: event.status });
      return Promise.resolve();
    };
    get(DomainEvents).register(['sandbox.*'], note, null);
    const { id } = await service.createRunning();
    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    await service.call('DELETE', `/api/v1/sandboxes/${id}`);
    await service.until(id, 'MISSING');
    const mine = changes.filter((change) => change.id === id).map(({ status }) => status);
    expect(mine.filter((status, n) => status !== mine[n - 1])).toEqual([
      'STARTING',
      'RUNNING',
      'PAUSED',
      'MISSING',
    ]);
  });

  it('know a sandbox by its key until it is gone', async () => {
    const { id, session_api_key: key } = await service.createRunning();
    const verifier = get(SessionKeyVerifier);
    const { orgId, userId } = service.caller;
    expect(await verifier.verify(key!)).toEqual({ sandboxId: id, orgId, createdByUserId: userId });
    await service.call('DELETE', `/api/v1/sandboxes/${id}`);
    await service.until(id, 'MISSING');
    expect(await verifier.verify(key!)).toBeNull();
  });

  it('note a use, so that the sandbox is not idle', async () => {
    const { id } = await service.createRunning();
    await service.app.db.query(`UPDATE sandboxes SET last_activity_at = '2020-01-01' WHERE id = $1`, [id]);
    get(SandboxLifecycle).touch(id);
    await eventually(async () => {
      const [row] = await service.app.db.query<{ recent: boolean }[]>(
        `SELECT last_activity_at > now() - interval '1 minute' AS recent FROM sandboxes WHERE id = $1`,
        [id],
      );
      expect(row).toEqual({ recent: true });
    });
  });
});
