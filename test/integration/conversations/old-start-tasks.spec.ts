import { randomUUID } from 'node:crypto';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import type { ConversationService, StartTask } from '../../support/service/conversation-service';
import { runNow } from '../../support/service/recurring-jobs';

const MEBIBYTE = 1024 * 1024;

describe('what start tasks keep of their requests', () => {
  let doubled: DoubledService;
  let service: ConversationService;
  beforeAll(async () => {
    doubled = await DoubledService.start({
      MESSAGE_MEBIBYTES_PER_USER: '2',
      DELIVERED_MEBIBYTES_PER_ORG: '3',
      DELIVERED_DAYS: '2',
    });
    ({ service } = doubled);
  });
  beforeEach(() => doubled.double.heal());
  afterAll(() => doubled.close());

  const start = (id: string, bytes: number, where: 'message' | 'plugins') =>
    service.call<StartTask>('POST', '/api/v1/app-conversations', {
      body: {
        conversation_id: id,
        ...(where === 'message'
          ? { initial_message: { content: [{ type: 'text', text: 'x'.repeat(bytes) }] } }
          : {
              plugins: Array.from({ length: Math.ceil(bytes / 15_000) }, () => ({
                source: 'github:acme/tools',
                parameters: { text: 'x'.repeat(15_000) },
              })),
            }),
      },
    });

  it.each(['message', 'plugins'] as const)(
    'counts with the bytes of messages while the start is under way: %s',
    async (where) => {
      const ids = Array.from({ length: 12 }, () => randomUUID());
      for (const id of ids) doubled.holdStart(id);
      const begun: string[] = [];
      const refused = [];
      for (const id of ids) {
        const { status, body } = await start(id, 0.4 * MEBIBYTE, where);
        if (status === 200) begun.push(body.id);
        else refused.push({ status, body });
      }
      // An initial message is there twice: in the queue, and in the request.
      expect(begun).toHaveLength(where === 'message' ? 2 : 4);
      expect(refused[0]).toMatchObject({ status: 429, body: { code: 'user_message_bytes_exceeded' } });

      await service.app.db.query('UPDATE start_tasks SET deadline_at = now() WHERE id = ANY ($1)', [begun]);
      for (const id of begun) expect((await service.ended(id)).status).toBe('ERROR');
      const next = await start(randomUUID(), 0.4 * MEBIBYTE, where);
      expect(next.status).toBe(200);
      await service.ended(next.body.id);
    },
  );

  describe('and how long', () => {
    beforeEach(() => service.app.db.query('DELETE FROM start_tasks'));

    const read = async (ids: readonly string[]): Promise<(StartTask | null)[]> =>
      (
        await service.call<(StartTask | null)[]>(
          'GET',
          `/api/v1/app-conversations/start-tasks?ids=${ids.join(',')}`,
        )
      ).body;

    /** Tasks that ended some days ago, with requests of about so many bytes. */
    async function store(status: string, days: number, bytes = 100): Promise<string> {
      const { id, sandboxId } = await doubled.conversation();
      const { orgId, userId } = service.owner;
      const taskId = randomUUID();
      await service.app.db.query(
        `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request,
                                  deadline_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, jsonb_build_object('title', repeat('x', $7::int)), now() + interval '1 hour',
                 now() - $8 * interval '1 day')`,
        [taskId, orgId, userId, id, sandboxId, status, bytes, days],
      );
      return taskId;
    }

    it('is as long as delivered messages are kept; a start that is not over stays', async () => {
      const ids = [
        await store('READY', 2.1),
        await store('ERROR', 2.1),
        await store('READY', 1.9),
        await store('ERROR', 1.9),
      ];
      await runNow(service.app.db, 'old-start-tasks');
      await eventually(async () =>
        expect((await read(ids)).map((task) => task?.id ?? null)).toEqual([null, null, ids[2], ids[3]]),
      );
    });

    it('is no longer than there is room for those of the organization', async () => {
      const ids: string[] = [];
      for (let age = 5; age > 0; age--) ids.push(await store('READY', age / 10, MEBIBYTE));
      await runNow(service.app.db, 'old-start-tasks');
      await eventually(async () =>
        expect((await read(ids)).map((task) => task?.id ?? null).slice(0, 2)).toEqual([null, null]),
      );
      expect((await read(ids)).at(-1)?.id).toBe(ids.at(-1));
    });
  });
});
