import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skillsFor, startOf } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { TestGitServer } from '../../support/git/git-server';
import { ConversationService, type StartTask } from '../../support/service/conversation-service';
import { makeCaller } from '../../support/service/factories';

const CAP = 3;

describe('the sandbox of a start that failed', () => {
  let git: TestGitServer;
  beforeAll(async () => (git = await TestGitServer.start()));
  afterAll(() => git.close());

  async function sandboxStatus(service: ConversationService, id: string): Promise<string | undefined> {
    const { body } = await service.call<{ status: string }[]>('GET', `/api/v1/sandboxes?id=${id}`);
    return body[0]?.status;
  }

  const isGone = (service: ConversationService, id: string): Promise<void> =>
    eventually(async () => expect(await sandboxStatus(service, id)).toBe('MISSING'));

  describe('with an agent server of its own', () => {
    let service: ConversationService;
    beforeAll(async () => {
      service = await ConversationService.start({
        MAX_SANDBOXES_PER_ORG: `${CAP}`,
        GIT_ALLOWED_HOSTS: git.host,
      });
    });
    afterAll(() => service.close());

    const misspelt = async (): Promise<StartTask> =>
      service.ended((await service.begin({ selected_repository: git.url('misspelt') })).id);

    it('is deleted, so that twice as many starts as may run fail for their own reason', async () => {
      for (let start = 0; start < 2 * CAP; start++) {
        const task = await misspelt();
        expect(task.detail).toContain('could not be cloned');
        await isGone(service, task.sandbox_id);
      }
      await service.ready();
    });

    it('leaves its log for an hour, to its creator alone, and its last lines to the task', async () => {
      const { sandbox_id: id, detail } = await misspelt();
      expect(detail).toMatch(/could not be cloned[^]+\nThe agent server's last lines: [^]*listens on/);
      const log = (key?: string): Promise<{ status: number; body: unknown }> =>
        service.call('GET', `/api/v1/sandboxes/${id}/logs?limit=5`, key === undefined ? {} : { key });
      expect((await log()).status).toBe(200);
      await isGone(service, id);
      const lines = expect.arrayContaining([expect.stringContaining('listens on')]) as string[];
      await eventually(async () => expect(await log()).toMatchObject({ status: 200, body: { lines } }));
      const { db } = service.app;
      const other = await makeCaller(db, service.owner.orgId, 'admin');
      expect((await log(other.key)).status).toBe(404);
      await db.query('UPDATE sandbox_kept_logs SET lines = $1 WHERE sandbox_id = $2', ['one\ntwo\n', id]);
      expect((await log()).body).toEqual({ lines: ['one', 'two'] });
      await db.query(
        `UPDATE sandbox_kept_logs SET kept_until = kept_until - interval '1 hour' WHERE sandbox_id = $1`,
        [id],
      );
      expect((await log()).status).toBe(404);
    });

    it('is answered with when the next sandbox may come to rest, where the cap is reached', async () => {
      const running = await Promise.all(Array.from({ length: CAP - 1 }, () => service.ready()));
      const full = await service.call('POST', '/api/v1/app-conversations', { body: {} });
      expect(full.status).toBe(429);
      // Idle ones are paused after twenty minutes.
      expect(Number(full.headers['retry-after'])).toBeGreaterThan(1_000);
      expect(Number(full.headers['retry-after'])).toBeLessThanOrEqual(1_200);
      for (const id of running) await service.call('DELETE', `/api/v1/app-conversations/${id}`);
      const meanwhile = await service.call('POST', '/api/v1/app-conversations', { body: {} });
      if (meanwhile.status !== 200) expect(meanwhile.headers['retry-after']).toBe('5');
    });
  });

  describe('at an agent server of several', () => {
    let folder: string;
    let doubled: DoubledService;
    let service: ConversationService;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'failed-starts-'));
      doubled = await DoubledService.start({ GIT_ALLOWED_HOSTS: git.host }, folder);
      ({ service } = doubled);
      await git.repository('scripts', { '.openhands/setup.sh': 'exit 1', '.openhands/pre-commit.sh': '' });
    });
    beforeEach(() => doubled.double.heal());
    afterAll(async () => {
      await doubled.close();
      await rm(folder, { recursive: true, force: true });
    });

    /** Lets the time of a start be over. */
    async function expire({ id }: StartTask): Promise<void> {
      await service.app.db.query('UPDATE start_tasks SET deadline_at = now() WHERE id = $1', [id]);
    }

    it.each<[string, Record<string, unknown>, (id: string) => void, boolean]>([
      ['a repository that is not there', { selected_repository: 'MISSPELT' }, () => undefined, false],
      [
        'what the agent server refuses',
        {},
        (id) => doubled.double.fail({ kind: 'status', status: 422, stored: false }, startOf(id)),
        false,
      ],
      [
        'an agent server with another conversation of that id',
        {},
        (id) => void doubled.double.addConversation(id),
        false,
      ],
      ['a start that is never answered in time', {}, (id) => doubled.holdStart(id), true],
      ...['setup.sh', 'pre-commit.sh'].map(
        (script) =>
          [
            `an agent server that refuses to run ${script}`,
            { selected_repository: 'SCRIPTS' },
            () =>
              doubled.double.fail(
                { kind: 'status', status: 422, stored: false },
                ({ body }) => body.includes(script),
                Infinity,
              ),
            false,
          ] as [string, Record<string, unknown>, (id: string) => void, boolean],
      ),
      [
        'skills that are not there in time',
        {},
        (id) => doubled.double.fail({ kind: 'status', status: 503, stored: false }, skillsFor(id), Infinity),
        true,
      ],
    ])('is deleted after %s', async (_, request, prepare, expires) => {
      const id = randomUUID();
      prepare(id);
      const named = /^[A-Z]+$/.exec(String(request.selected_repository))?.[0].toLowerCase();
      const task = await service.begin({
        conversation_id: id,
        ...request,
        ...(named !== undefined && { selected_repository: git.url(named) }),
      });
      if (expires) await expire(task);
      expect((await service.ended(task.id)).status).toBe('ERROR');
      await isGone(service, task.sandbox_id);
      expect((await readdir(folder)).filter((name) => name === task.sandbox_id)).toEqual([]);
    });

    it('stays where it was given by the request, or others are in it; and goes with the last of them', async () => {
      const failing = (sandbox_id: string): Promise<StartTask> =>
        service.begin({ sandbox_id, selected_repository: git.url('misspelt') });

      const given = await doubled.conversation();
      expect((await service.ended((await failing(given.sandboxId)).id)).status).toBe('ERROR');
      expect(await sandboxStatus(service, given.sandboxId)).toBe('RUNNING');

      // Made for a start that is still under way while another joins it.
      const id = randomUUID();
      doubled.holdStart(id);
      const first = await service.begin({ conversation_id: id });
      await eventually(async () => expect(await sandboxStatus(service, first.sandbox_id)).toBe('RUNNING'));
      expect((await service.ended((await failing(first.sandbox_id)).id)).status).toBe('ERROR');
      expect(await sandboxStatus(service, first.sandbox_id)).toBe('RUNNING');
      await expire(first);
      expect((await service.ended(first.id)).status).toBe('ERROR');
      await isGone(service, first.sandbox_id);
    });

    it('stays with nothing of the conversation at its agent server, which may have made it', async () => {
      const { sandboxId } = await doubled.conversation();
      const id = randomUUID();
      // Made, and its answer lost; what follows fails until the time is over.
      doubled.double.fail({ kind: 'status', status: 500, stored: true }, startOf(id), Infinity);
      const task = await service.begin({ conversation_id: id, sandbox_id: sandboxId });
      await eventually(() => expect(() => doubled.double.conversation(id)).not.toThrow());
      await expire(task);
      expect((await service.ended(task.id)).status).toBe('ERROR');
      await eventually(() => expect(() => doubled.double.conversation(id)).toThrow());
      expect(await sandboxStatus(service, sandboxId)).toBe('RUNNING');
    });
  });
});
