import { hexOf, newId } from '../../src/kernel/common';
import { ConversationService } from '../support/service/conversation-service';
import { sendOf } from '../support/agent-server/agent-server-calls';
import { AgentServerDouble } from '../support/agent-server/agent-server-double';
import { eventually } from '../support/eventually';
import { makeCaller, makeKey, makeMember, makeOrg } from '../support/service/factories';
import type { HttpResponse, ErrorBody } from '../support/service/http';

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
  ): Promise<HttpResponse<Body>> {
    return service.call<Body>('POST', path, { body, headers: { 'Idempotency-Key': key } });
  }

  const pending = (): string => `/api/v1/conversations/${conversationId}/pending-messages`;
  const send = (): string => `/api/v1/app-conversations/${conversationId}/send-message`;
  /** How often the agent server has taken a text: what earlier tests queued may arrive at any time. */
  const arrived = (wanted: string): number =>
    double.messages(conversationId).filter(({ text }) => text === wanted).length;

  /** An operation that takes keys. */
  interface Operation {
    readonly path: () => string;
    readonly body: (word: string) => unknown;
    /** The secret in its response. */
    readonly hides?: string;
    /** Makes a call that is refused. */
    readonly refused: (key: string) => Promise<HttpResponse>;
    /** How often it was done so far. */
    readonly done: () => Promise<number>;
  }

  const counted = async (sql: string, values: unknown[] = []): Promise<number> => {
    const [row] = await service.app.db.query<[{ count: string }]>(`SELECT count(*) ${sql}`, values);
    return Number(row.count);
  };
  const saying = (text: string): unknown => ({ content: [{ type: 'text', text }] });
  const invite = (): string => `/api/organizations/${service.owner.orgId}/members/invite`;
  const close = (reason: string | null): Promise<unknown> =>
    service.app.db.query('UPDATE message_queues SET closed_reason = $1 WHERE conversation_id = $2', [
      reason,
      conversationId,
    ]);
  const OPERATIONS: Record<string, Operation> = {
    'pending-messages': {
      path: pending,
      body: saying,
      refused: async (key) => {
        await close('It ended.');
        const response = await post(pending(), saying('refused'), key);
        await close(null);
        return response;
      },
      done: () => counted('FROM pending_messages'),
    },
    'send-message': {
      path: send,
      body: (word) => saying(`sent ${word}`),
      refused: (key) => {
        double.fail({ kind: 'status', status: 409, stored: false }, sendOf(conversationId, 'refused'));
        return post(send(), saying('refused'), key);
      },
      done: () =>
        Promise.resolve(
          double.messages(conversationId).filter(({ text }) => text.startsWith('sent ')).length,
        ),
    },
    'app-conversations': {
      path: () => '/api/v1/app-conversations',
      body: (title) => ({ title, llm_model: 'echo' }),
      refused: (key) => post('/api/v1/app-conversations', { conversation_id: conversationId }, key),
      done: () => counted('FROM start_tasks'),
    },
    invite: {
      path: invite,
      body: (name) => ({ emails: [`${name}@example.com`], role: 'member' }),
      hides: 'invite_url',
      refused: (key) => post(invite(), { emails: ['one@example.com'], role: 'king' }, key),
      done: () => counted('FROM invitations'),
    },
    keys: {
      path: () => '/api/keys',
      body: (name) => ({ name }),
      hides: 'key',
      refused: (key) => post('/api/keys', { expires_at: '2020-01-01T00:00:00Z' }, key),
      done: () => counted('FROM api_keys'),
    },
  };

  describe.each(Object.entries(OPERATIONS))(
    'beside POST %s',
    (name, { path, body, hides, refused, done }) => {
      const visible = (response: unknown): string =>
        JSON.stringify(response, (field, value: unknown) => (field === hides ? null : value));

      it('has the same request done once, and its repetition answered the same but for secrets', async () => {
        const before = await done();
        const first = await post(path(), body('once'), `${name} once`);
        const again = await post(path(), body('once'), `${name} once`);
        expect([first.status, again.status]).toEqual([200, 200]);
        expect(JSON.stringify(again.body)).toBe(visible(first.body));
        expect(visible(first.body) === JSON.stringify(first.body)).toBe(hides === undefined);
        expect([first, again].map(({ headers }) => headers['idempotency-replayed'])).toEqual([
          undefined,
          'true',
        ]);
        expect(await done()).toBe(before + 1);
      });

      it('is a 422 that names the header for another body, or beyond 255 characters, and nothing is done', async () => {
        await post(path(), body('one-body'), `${name} bodies`);
        const before = await done();
        for (const [key, type] of [
          [`${name} bodies`, 'idempotency_key_reused'],
          ['k'.repeat(256), 'string_too_long'],
        ] as const) {
          const { status, body: response } = await post<Fault>(path(), body('another-body'), key);
          const isFaultOfQueue = name === 'pending-messages' && type === 'string_too_long';
          expect([status, response.detail.map((fault) => [fault.loc, fault.type])]).toEqual([
            isFaultOfQueue ? 400 : 422,
            [[['header', 'idempotency-key'], type]],
          ]);
        }
        expect(await done()).toBe(before);
      });

      it('is reported as too long together with the faults of the body', async () => {
        const { body: response } = await post<Fault>(path(), [], 'k'.repeat(256));
        expect(response.detail.map(({ loc }) => loc)).toEqual([['header', 'idempotency-key'], ['body']]);
      });

      it('lets one of many requests at once through; the others are answered as it or with 409', async () => {
        const before = await done();
        const responses = await Promise.all(
          Array.from({ length: 8 }, () => post<ErrorBody>(path(), body('at-once'), `${name} at once`)),
        );
        expect(await done()).toBe(before + 1);
        const outcomes = responses.map((response) =>
          response.status === 409 ? response.body.code : response.status,
        );
        expect(outcomes).toContain(200);
        for (const outcome of outcomes) expect([200, 'idempotency_key_in_use']).toContain(outcome);
        const [firsts, replays] = [undefined, 'true'].map((replayed) =>
          responses.filter(
            ({ status, headers }) => status === 200 && headers['idempotency-replayed'] === replayed,
          ),
        );
        expect(firsts).toHaveLength(1);
        for (const replay of replays ?? [])
          expect(JSON.stringify(replay.body)).toBe(visible(firsts?.[0]?.body));
      });

      it('is free again after any response but 2xx', async () => {
        const key = `${name} refused`;
        const before = await done();
        expect((await refused(key)).status).toBeGreaterThan(399);
        expect((await post(path(), body('at-last'), key)).status).toBe(200);
        expect(await done()).toBe(before + 1);
      });

      it('begins anew after 24 hours', async () => {
        const key = `${name} tomorrow`;
        await post(path(), body('yesterday'), key);
        const before = await done();
        await service.app.db.query(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours'`);
        const { headers } = await post(path(), body('today'), key);
        expect(headers['idempotency-replayed']).toBeUndefined();
        expect(await done()).toBe(before + 1);
      });
    },
  );

  it('belongs to one user, organization and route', async () => {
    const organization = await makeOrg(service.app.db);
    const colleague = await makeCaller(service.app.db, service.owner.orgId);
    const { userId, email } = service.owner;
    await makeMember(service.app.db, organization.id, 'member', { id: userId, email, name: null });
    const elsewhere = await makeKey(service.app.db, userId, { orgId: organization.id });
    const make = (key: string): Promise<HttpResponse> =>
      service.call('POST', '/api/keys', {
        key,
        body: { name: 'mine' },
        headers: { 'Idempotency-Key': 'shared' },
      });
    const responses = [
      await post(pending(), CONTENT, 'shared'),
      await post(send(), CONTENT, 'shared'),
      await make(service.owner.key),
      await make(colleague.key),
      await make(elsewhere.key),
    ];
    expect(responses.map(({ status, headers }) => [status, headers['idempotency-replayed']])).toEqual(
      Array(5).fill([200, undefined]),
    );
  });

  it('never has a message sent again whose process died over it', async () => {
    const content = saying('sent before it died');
    await post(send(), content, 'died');
    const diedAgo = (time: string): Promise<unknown> =>
      service.app.db.query(
        `UPDATE idempotency_keys SET state = 'working', answer = NULL, created_at = now() - $1::interval
          WHERE created_at = (SELECT max(created_at) FROM idempotency_keys) OR state = 'working'`,
        [time],
      );
    for (const [ago, code] of [
      ['1 minute', 'idempotency_key_in_use'],
      ['4 minutes', 'outcome_unknown'],
    ] as const) {
      await diedAgo(ago);
      const { status, body } = await post<ErrorBody>(send(), content, 'died');
      expect([status, body.code]).toEqual([409, code]);
    }
    expect(arrived('sent before it died')).toBe(1);
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

  it('never has a message sent again whose outcome is unknown', async () => {
    const text = 'sent, outcome unknown';
    double.fail({ kind: 'reset', stored: true }, sendOf(conversationId, text));
    expect((await post(send(), saying(text), 'outcome unknown')).status).toBe(503);
    const { status, body } = await post<ErrorBody>(send(), saying(text), 'outcome unknown');
    expect([status, body.code]).toEqual([409, 'outcome_unknown']);
    expect(arrived(text)).toBe(1);
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
