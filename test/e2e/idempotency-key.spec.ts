import { hexOf, newId } from '../../src/common';
import { ConversationService } from '../support/conversation-service';
import { AgentServerDouble } from '../support/agent-server-double';
import { eventually } from '../support/eventually';
import type { Answer, ErrorBody } from '../support/http';

interface Fault {
  readonly detail: readonly { readonly loc: string[]; readonly type: string }[];
}

const CONTENT = { content: [{ type: 'text', text: 'yes' }] };

describe('Idempotency-Key', () => {
  let service: ConversationService;
  let double: AgentServerDouble;
  let conversationId: string;

  beforeAll(async () => {
    double = await AgentServerDouble.start();
    service = await ConversationService.start({
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: double.url,
      AGENT_SERVER_API_KEY: double.target.apiKey,
      EXTERNAL_ORG_ID: '*',
      SEND_TIMEOUT_SECONDS: '0.5',
    });
    conversationId = await service.ready({ llm_model: 'echo' });
  });
  afterAll(async () => {
    await service.close();
    await double.stop();
  });
  afterEach(() => double.heal());

  function post<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    key: string,
  ): Promise<Answer<Body>> {
    return service.call<Body>('POST', path, { body, headers: { 'Idempotency-Key': key } });
  }

  const pending = (): string => `/api/v1/conversations/${conversationId}/pending-messages`;
  const send = (): string => `/api/v1/app-conversations/${conversationId}/send-message`;
  const arrived = (): number => double.messages(conversationId).length;

  it('has the same request answered the same, and nothing done twice', async () => {
    const before = arrived();
    const first = await post(pending(), CONTENT, 'queue once');
    const second = await post(pending(), CONTENT, 'queue once');
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    const list = await service.call<{ items: unknown[] }>(
      'GET',
      `${pending()}?state=queued,delivering,delivered`,
    );
    expect(list.body.items).toHaveLength(1);
    expect(arrived()).toBeLessThanOrEqual(before + 1);
  });

  it('holds however the id of the conversation is spelled, and when it is started between two requests', async () => {
    const id = newId();
    const path = (spelling: string): string => `/api/v1/conversations/${spelling}/pending-messages`;
    const first = await post(path(id), CONTENT, 'before its start');
    const task = await service.begin({ conversation_id: id, llm_model: 'echo' });
    await service.ended(task.id);
    for (const spelling of [id, hexOf(id).toUpperCase(), task.id, `task-${hexOf(task.id)}`]) {
      const again = await post(path(spelling), CONTENT, 'before its start');
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    await eventually(() => expect(double.messages(id).map(({ text }) => text)).toEqual(['yes']));
    const all = '?state=queued,delivering,delivered,failed';
    const list = await service.call<{ items: unknown[] }>('GET', `${path(id)}${all}`);
    expect(list.body.items).toHaveLength(1);
  });

  it('is used up by another body: a 422 that names the header', async () => {
    await post(pending(), CONTENT, 'two bodies');
    const { status, body } = await post<Fault>(
      pending(),
      { content: [{ type: 'text', text: 'no' }] },
      'two bodies',
    );
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      expect.objectContaining({ loc: ['header', 'idempotency-key'], type: 'idempotency_key_reused' }),
    ]);
  });

  it('has at most 255 characters', async () => {
    expect((await post(send(), CONTENT, 'k'.repeat(256))).status).toBe(422);
    expect((await post(send(), CONTENT, 'k'.repeat(255))).status).toBe(200);
  });

  it('keeps no secrets: a replay of a key and of an invitation has null for them', async () => {
    const made = await post('/api/keys', { name: 'once' }, 'a key');
    const again = await post('/api/keys', { name: 'once' }, 'a key');
    expect(made.body['key']).toMatch(/^ocs_/);
    expect(again.body).toEqual({ ...made.body, key: null });
    const path = `/api/organizations/${service.owner.orgId}/members/invite`;
    const invite = { emails: ['once@example.com'], role: 'member' };
    await post(path, invite, 'an invitation');
    const replay = await post<{ successful: Record<string, unknown>[] }>(path, invite, 'an invitation');
    expect(replay.body.successful).toEqual([
      expect.objectContaining({ email: 'once@example.com', invite_url: null }),
    ]);
  });

  it('starts one conversation', async () => {
    const first = await post('/api/v1/app-conversations', { title: 'once', llm_model: 'echo' }, 'a start');
    const second = await post('/api/v1/app-conversations', { title: 'once', llm_model: 'echo' }, 'a start');
    expect(second.body['id']).toBe(first.body['id']);
  });

  it('is free again after any answer but 2xx', async () => {
    double.fail({ kind: 'status', status: 409, stored: false });
    expect((await post(send(), CONTENT, 'at last')).status).toBe(503);
    expect((await post(send(), CONTENT, 'at last')).status).toBe(200);
  });

  it('never has a message sent again whose outcome is not known', async () => {
    const before = arrived();
    double.fail({ kind: 'hang', stored: true });
    expect((await post(send(), CONTENT, 'in doubt')).status).toBe(503);
    const { status, body } = await post<ErrorBody>(send(), CONTENT, 'in doubt');
    expect([status, body.code]).toEqual([409, 'outcome_unknown']);
    expect(arrived()).toBe(before + 1);
  });

  it('does nothing again of which the database did not say whether it was done', async () => {
    const { db } = service.app;
    await db.query(`
      CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
      CREATE TRIGGER break_off BEFORE INSERT ON pending_messages FOR EACH ROW EXECUTE FUNCTION break_off()`);
    const first = await post(pending(), CONTENT, 'broken off');
    await db.query('DROP FUNCTION break_off CASCADE');
    expect(first.status).toBe(503);
    const { status, body } = await post<ErrorBody>(pending(), CONTENT, 'broken off');
    expect([status, body.code]).toEqual([409, 'outcome_unknown']);
  });

  it('lets one of many requests at once through', async () => {
    const before = arrived();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post<ErrorBody>(send(), CONTENT, 'at once')),
    );
    expect(arrived()).toBe(before + 1);
    for (const { status, body } of answers)
      expect([200, 409]).toContain(
        status === 409 && body.code !== 'idempotency_key_in_use' ? body.code : status,
      );
  });

  it('is not replayed to who may not reach the conversation any more', async () => {
    await post(send(), CONTENT, 'before it was deleted');
    await service.app.db.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [conversationId]);
    try {
      expect((await post(send(), CONTENT, 'before it was deleted')).status).toBe(404);
    } finally {
      await service.app.db.query('UPDATE conversations SET deleted_at = NULL WHERE id = $1', [
        conversationId,
      ]);
    }
  });
});
