import { ConversationService, type EventRecord } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';
import { call } from '../../support/service/http';

/** Has neither a version nor a variant of a UUID (docs/contract.md#identifiers). */
const UNUSUAL = '22222222-2222-0333-0444-555555555555';

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

describe('a conversation whose id is a UUID of no version', () => {
  let service: ConversationService;

  beforeAll(async () => {
    service = await ConversationService.start();
  });
  afterAll(() => service.close());

  /** What its agent server says of it. */
  async function atAgentServer(): Promise<{ title: string | null }> {
    const { conversation_url, session_api_key } = await service.record(UNUSUAL);
    const { origin, pathname } = new URL(conversation_url ?? '');
    const headers = { 'X-Session-API-Key': session_api_key ?? '' };
    return (await call<{ title: string | null }>({ url: origin }, 'GET', pathname, { headers })).body;
  }

  it('starts, gets what was queued, and takes the title that its agent server made', async () => {
    expect(await service.ready({ conversation_id: UNUSUAL, initial_message: text('first words') })).toBe(
      UNUSUAL,
    );
    const queued = await service.call('POST', `/api/v1/conversations/${UNUSUAL}/pending-messages`, {
      body: text('second words'),
    });
    expect(queued.status).toBe(200);
    expect(await service.texts(UNUSUAL, 'user', 2)).toEqual(['first words', 'second words']);
    await service.texts(UNUSUAL, 'agent', 2);
    await eventually(async () => {
      const { title, execution_status } = await service.record(UNUSUAL);
      expect([title, execution_status]).toEqual([expect.stringContaining('first words'), 'finished']);
    });
  });

  it('has its title told to the agent server', async () => {
    const path = `/api/v1/app-conversations/${UNUSUAL}`;
    expect((await service.call('PATCH', path, { body: { title: 'Mine' } })).status).toBe(200);
    await eventually(async () => expect((await atAgentServer()).title).toBe('Mine'));
  });

  it('has events read back that were never reported', async () => {
    const last = (events: readonly EventRecord[]) =>
      events.filter(({ kind }) => kind === 'MessageEvent').at(-1);
    const lost = last(await service.events(UNUSUAL));
    await service.app.db.query(
      `DELETE FROM events WHERE conversation_id = $1 AND seq >=
         (SELECT seq FROM events WHERE conversation_id = $1 AND id = $2)`,
      [UNUSUAL, lost?.id],
    );
    const { sandbox_id: sandboxId } = await service.record(UNUSUAL);
    await service.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`);
    await eventually(
      async () => expect((await service.record(UNUSUAL)).sandbox_status).toBe('PAUSED'),
      20_000,
    );
    await service.call('POST', `/api/v1/sandboxes/${sandboxId}/resume`);
    await eventually(async () => expect(last(await service.events(UNUSUAL))?.id).toBe(lost?.id));
  });

  it('leaves no job behind when it is deleted', async () => {
    const answer = await service.call('DELETE', `/api/v1/app-conversations/${UNUSUAL}`);
    expect(answer.status).toBe(200);
    await eventually(async () => {
      const { db } = service.app;
      expect(await db.query('SELECT 1 FROM conversation_removals')).toEqual([]);
      // Without those in whose place another one was added while they ran: they are not tried again.
      const failed = `SELECT key, last_error FROM graphile_worker.jobs WHERE attempts > 0 AND attempts < max_attempts`;
      expect(await db.query(failed)).toEqual([]);
    });
  });
});
