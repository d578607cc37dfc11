import { randomUUID } from 'node:crypto';
import { MEBIBYTE } from '../../../src/kernel/common';
import { ConversationService } from '../../support/service/conversation-service';
import { storeConversation } from '../../support/queue/conversation-rows';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';
import type { SandboxRecord } from '../../support/agent-server/sandboxes';

describe('the calls of agent servers', () => {
  let service: ConversationService;
  let sandbox: SandboxRecord;
  let key: string;

  beforeAll(async () => {
    service = await ConversationService.start();
    const made = await service.call<SandboxRecord>('POST', '/api/v1/sandboxes');
    sandbox = await eventually(async () => {
      const { body } = await service.call<SandboxRecord[]>('GET', `/api/v1/sandboxes?id=${made.body.id}`);
      if (body[0]?.status !== 'RUNNING') throw new Error(`The sandbox is ${body[0]?.status}.`);
      return body[0];
    });
    key = sandbox.session_api_key ?? '';
  });

  afterAll(() => service.close());

  /** A conversation of the sandbox, or of what `fields` say. */
  async function conversation(fields: Record<string, unknown> = {}): Promise<string> {
    const { id } = await storeConversation(service.app.db, {
      org_id: service.owner.orgId,
      created_by_user_id: service.owner.userId,
      sandbox_id: sandbox.id,
      ...fields,
    });
    return id;
  }

  function post(
    path: string,
    body: string,
    headers: Record<string, string> = { 'X-Session-API-Key': key },
  ): Promise<HttpResponse<ErrorBody>> {
    return call<ErrorBody>(service.app, 'POST', `/api/v1/webhooks${path}`, { raw: body, headers });
  }

  function postEvents(id: string, events: readonly unknown[]): Promise<HttpResponse<ErrorBody>> {
    return post(`/events/${id.replaceAll('-', '')}`, JSON.stringify(events));
  }

  function postInfo(info: unknown): Promise<HttpResponse<ErrorBody>> {
    return post('/conversations', JSON.stringify(info));
  }

  async function stored(id: string): Promise<{ id: string; seq: string }[]> {
    return service.app.db.query('SELECT id, seq FROM events WHERE conversation_id = $1 ORDER BY seq', [id]);
  }

  function event(fields: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      id: randomUUID(),
      kind: 'PauseEvent',
      timestamp: '2026-01-02T03:04:05',
      source: 'user',
      ...fields,
    };
  }

  function reported(field: string, value: unknown): Record<string, unknown> {
    return event({ kind: 'ConversationStateUpdateEvent', source: 'environment', key: field, value });
  }

  describe('are 401', () => {
    it.each([
      ['no key', () => ({})],
      ['an unknown key', () => ({ 'X-Session-API-Key': 'unknown' })],
      ["a person's key", () => ({ 'X-Access-Token': service.owner.key })],
      ["a person's key as session key", () => ({ 'X-Session-API-Key': service.owner.key })],
    ])('with %s', async (_, headers: () => Record<string, string>) => {
      const id = await conversation();
      for (const path of [`/events/${id}`, '/conversations']) {
        const response = await post(path, '[]', headers());
        expect(response.status).toBe(401);
        expect(response.headers['www-authenticate']).toBeDefined();
      }
    });
  });

  describe('for a conversation that is not of the sandbox', () => {
    it('are 404 and store nothing', async () => {
      const other = await makeCaller(service.app.db, (await makeOrg(service.app.db)).id);
      const foreign = [
        await conversation({ sandbox_id: randomUUID() }),
        await conversation({ sandbox_id: null }),
        await conversation({
          sandbox_id: randomUUID(),
          org_id: other.orgId,
          created_by_user_id: other.userId,
        }),
        await conversation({ deleted_at: new Date() }),
        await conversation({ start_state: 'failed' }),
      ];
      for (const id of foreign) {
        const events = await postEvents(id, [reported('execution_status', 'running')]);
        expect([events.status, events.body.code]).toEqual([404, 'conversation_not_found']);
        expect((await postInfo({ id, execution_status: 'running', title: 'Taken' })).status).toBe(404);
        expect(await stored(id)).toEqual([]);
        const [row] = await service.app.db.query<{ title: string | null; execution_status: string | null }[]>(
          'SELECT title, execution_status FROM conversations WHERE id = $1',
          [id],
        );
        expect(row).toEqual({ title: null, execution_status: null });
      }
    });

    it('are 404 for an id that is no UUID', async () => {
      expect((await post('/events/nonsense', '[]')).status).toBe(404);
    });
  });

  it('make a record of a conversation that the service does not know', async () => {
    const [byEvents, byInfo] = [randomUUID(), randomUUID()];
    expect((await postEvents(byEvents, [event()])).status).toBe(200);
    expect((await postInfo({ id: byInfo, execution_status: 'running', title: 'Direct' })).status).toBe(200);
    expect(await service.record(byEvents)).toMatchObject({
      created_by_user_id: service.owner.userId,
      sandbox_id: sandbox.id,
      sandbox_status: 'RUNNING',
    });
    expect(await service.record(byInfo)).toMatchObject({ title: 'Direct', execution_status: 'running' });
    expect(await stored(byEvents)).toHaveLength(1);
  });

  it('read past fields and kinds that the service does not know', async () => {
    const id = randomUUID();
    const info = {
      id,
      title: 'Newer',
      runtime_of_tomorrow: { kind: 'NewRuntime' },
      agent: { kind: 'NewAgent', x: 1 },
    };
    expect((await postInfo(info)).status).toBe(200);
    const newer = [
      event({ id: 'unknown kind', kind: 'EventOfTomorrow', payload: { deep: [1] } }),
      event({ id: 'unknown field', kind: 'MessageEvent', field_of_tomorrow: 'kept' }),
    ];
    expect((await postEvents(id, newer)).status).toBe(200);
    expect((await service.record(id)).title).toBe('Newer');
    const path = `/api/v1/conversation/${id}/events/search`;
    const found = await service.call<{ items: unknown[] }>('GET', path);
    expect(found.body.items).toEqual(newer);
    expect((await service.call('GET', `${path}?kind__eq=EventOfTomorrow`)).body).toMatchObject({
      items: [{ id: 'unknown kind' }],
    });
  });

  it('make one record when they come at the same time', async () => {
    for (let round = 0; round < 40; round++) {
      const id = randomUUID();
      const responses = await Promise.all([
        ...Array.from({ length: 8 }, () => postEvents(id, [event()])),
        ...Array.from({ length: 8 }, () => postInfo({ id, execution_status: 'running' })),
      ]);
      expect(responses.map(({ status }) => status)).toEqual(Array(16).fill(200));
      expect((await stored(id)).map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }
  });

  it('store each event once, by its id, as it came first', async () => {
    const id = await conversation();
    const one = event({ id: 'one', text: 'first' });
    expect((await postEvents(id, [one, { ...one, text: 'twice' }])).status).toBe(200);
    expect((await postEvents(id, [{ ...one, text: 'again' }, event({ id: 'two' })])).status).toBe(200);
    expect(await stored(id)).toEqual([
      { id: 'one', seq: '1' },
      { id: 'two', seq: '2' },
    ]);
    const { body } = await service.call('GET', `/api/conversations/${id}/events/one`);
    expect(body).toMatchObject({ text: 'first' });
  });

  it('store each event once when duplicates come at the same time, numbered without holes', async () => {
    const id = await conversation();
    const events = Array.from({ length: 20 }, (_, index) => event({ id: `event-${index}` }));
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => postEvents(id, index % 2 ? events : [...events].reverse())),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const rows = await stored(id);
    expect(rows.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(new Set(rows.map((row) => row.id)).size).toBe(20);
  });

  it('keep events with a strange kind, time, or id whole', async () => {
    const id = await conversation();
    const events = [
      event({ id: 'no kind', kind: undefined }),
      event({ id: 'odd kind', kind: 7 }),
      event({ id: 'no time', timestamp: undefined }),
      event({ id: 'odd time', timestamp: 'soon' }),
      event({ id: 'far time', timestamp: '+275760-09-12T00:00:00Z' }),
      event({ id: 'old time', timestamp: '-271821-04-21T00:00:00Z' }),
      event({ id: 'nul \u0000', kind: 'a\u0000b' }),
      event({ id: 'x'.repeat(5000) }),
    ];
    expect((await postEvents(id, events)).status).toBe(200);
    const found = await service.call<unknown[]>(
      'GET',
      `/api/v1/conversation/${id}/events?${events
        .map((one) => `ids=${encodeURIComponent(String(one.id))}`)
        .join('&')}`,
    );
    expect(found.body).toEqual(JSON.parse(JSON.stringify(events)));
  });

  describe('move the record', () => {
    async function after(...events: unknown[]): Promise<Record<string, unknown>> {
      const id = await conversation();
      expect((await postEvents(id, events)).status).toBe(200);
      return { ...(await service.record(id)) };
    }

    it.each([
      ['idle', 'idle'],
      ['running', 'running'],
      ['paused', 'paused'],
      ['finished', 'finished'],
      ['error', 'error'],
      ['stuck', 'stuck'],
      ['waiting_for_confirmation', 'paused'],
    ])('to the execution status %s as %s', async (status, shown) => {
      expect(await after(reported('execution_status', status))).toMatchObject({ execution_status: shown });
    });

    it.each(['deleting', 'something_new', 7, null])('and keep no status %p', async (status) => {
      const record = await after(
        reported('execution_status', 'running'),
        reported('execution_status', status),
      );
      expect(record).toMatchObject({ execution_status: 'running' });
    });

    it('by the full state, and the last word counts', async () => {
      const state = {
        execution_status: 'finished',
        title: 'Told',
        agent: { kind: 'ACPAgent', llm: { model: 'a-model' } },
        stats: { usage_to_metrics: { agent: { accumulated_cost: 0.5 } } },
      };
      const record = await after(reported('execution_status', 'running'), reported('full_state', state));
      expect(record).toMatchObject({
        execution_status: 'finished',
        title: 'Told',
        llm_model: 'a-model',
        agent_kind: 'ACPAgent',
        metrics: { accumulated_cost: 0.5 },
      });
    });

    it('and leave agent_kind as it is for the usual agent', async () => {
      const record = await after(reported('agent', { kind: 'Agent', llm: { model: 'm' } }));
      expect(record).toMatchObject({ agent_kind: 'openhands', llm_model: 'm' });
    });

    function usage(cost: number, prompt: number, completion: number): Record<string, unknown> {
      return {
        accumulated_cost: cost,
        accumulated_token_usage: {
          prompt_tokens: prompt,
          completion_tokens: completion,
          cache_read_tokens: 1,
          cache_write_tokens: 2,
          reasoning_tokens: 3,
          context_window: prompt * 1_000,
          per_turn_token: prompt + completion,
        },
      };
    }

    const MAX_TOKENS = Number.MAX_SAFE_INTEGER;
    /** More than a bigint holds when each has the most that is read. */
    const manyOf = (one: object) =>
      Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`model-${n}`, one]));

    it('by the sum over all models, and never backwards', async () => {
      const id = await conversation();
      const stats = { usage_to_metrics: { agent: usage(1.5, 100, 10), condenser: usage(0.5, 50, 5) } };
      await postEvents(id, [reported('stats', stats)]);
      await postEvents(id, [reported('stats', { usage_to_metrics: { agent: usage(0.1, 200, 1) } })]);
      await postInfo({ id, stats: { usage_to_metrics: { agent: usage(0, 0, 0) } } });
      const tokens = {
        prompt_tokens: 200,
        completion_tokens: 15,
        cache_read_tokens: 2,
        cache_write_tokens: 4,
      };
      expect((await service.record(id)).metrics).toEqual({
        model_name: 'default',
        accumulated_cost: 2,
        max_budget_per_task: null,
        accumulated_token_usage: {
          model: '',
          ...tokens,
          reasoning_tokens: 6,
          // Of the agent alone: the last that was reported, and the largest.
          context_window: 200_000,
          per_turn_token: 201,
          response_id: '',
        },
        ...tokens,
      });
    });

    it.each([
      ['nothing', null],
      ['a number', 7],
      ['costs that are no number', { usage_to_metrics: { agent: { accumulated_cost: 'much' } } }],
      ['negative ones', { usage_to_metrics: { agent: usage(-1, -1, -1) } }],
      ['fractions of tokens', { usage_to_metrics: { agent: usage(0, 0.5, 0.5) } }],
      ['more than fits', { usage_to_metrics: { agent: usage(0, 1e300, 1e300) } }],
      ['a cost beyond all money', { usage_to_metrics: { agent: usage(1e308, 0, 0) } }],
      ['costs that are so much together', { usage_to_metrics: { a: usage(6e8, 0, 0), b: usage(6e8, 0, 0) } }],
      ['sums beyond all numbers', { usage_to_metrics: { a: usage(1.7e308, 0, 0), b: usage(1.7e308, 0, 0) } }],
      [
        'sums of tokens beyond what is stored',
        { usage_to_metrics: manyOf(usage(0, MAX_TOKENS, MAX_TOKENS)) },
      ],
    ])('and take no harm from metrics with %s', async (_, stats) => {
      const id = await conversation();
      expect((await postEvents(id, [reported('stats', stats), event()])).status).toBe(200);
      expect(await stored(id)).toHaveLength(2);
      expect((await service.record(id)).metrics.accumulated_cost).toBe(0);
    });

    it('only once by an event that comes again', async () => {
      const id = await conversation();
      const old = reported('execution_status', 'running');
      await postEvents(id, [old]);
      await postEvents(id, [reported('execution_status', 'finished')]);
      await postEvents(id, [old]);
      expect((await service.record(id)).execution_status).toBe('finished');
    });
  });

  it.each([
    ['a NUL', 'a\u0000b', 'a\uFFFDb'],
    ['a lone surrogate', 'a\ud800b', 'a\uFFFDb'],
  ])('keep a title with %s', async (_, title, shown) => {
    const id = await conversation();
    expect((await postInfo({ id, title })).status).toBe(200);
    expect((await service.record(id)).title).toBe(shown);
  });

  it('take bodies of 8 MiB, and none beyond', async () => {
    const id = await conversation();
    const frame = JSON.stringify([event({ id: 'large', text: '' })]).length;
    const large = event({ id: 'large', text: 'x'.repeat(8 * MEBIBYTE - frame) });
    expect((await postEvents(id, [large])).status).toBe(200);
    expect((await postEvents(id, [{ ...large, id: 'larger' }])).status).toBe(413);
    expect((await stored(id)).map((row) => row.id)).toEqual(['large']);
  });

  it('lose nothing by an event that is none', async () => {
    const id = await conversation();
    const body = '[{"id":"one"},7,{"kind":"PauseEvent"},{"id":7},null,NaN,{"id":"two"}]';
    expect((await post(`/events/${id}`, body)).status).toBe(200);
    expect((await stored(id)).map((row) => row.id)).toEqual(['one', 'two']);
  });

  it('move updated_at with events and with what they change, not by repetition', async () => {
    const before = '2026-01-03T03:04:05.678Z';
    const id = await conversation({ updated_at: new Date(before), execution_status: 'idle', title: 'T' });
    const other = await conversation({ updated_at: new Date(before) });
    const updatedAt = async (of = id): Promise<string> =>
      (await service.call<{ updated_at: string }>('GET', `/api/v1/app-conversations/${of}`)).body.updated_at;
    const hasMoved = async (of: string): Promise<void> => expect((await updatedAt(of)) > before).toBe(true);
    const info = { id, execution_status: 'idle', title: 'T' };
    expect((await postInfo(info)).status).toBe(200);
    expect(await updatedAt()).toBe(before);
    const events = [event()];
    await postEvents(id, events);
    await eventually(() => hasMoved(id));
    const after = await updatedAt();
    await postEvents(id, events);
    await postInfo(info);
    // What comes later is written no earlier.
    await postEvents(other, [event()]);
    await postEvents(other, [event()]);
    await eventually(() => hasMoved(other));
    expect(await updatedAt()).toBe(after);
    await postInfo({ ...info, execution_status: 'running' });
    expect((await updatedAt()) > after).toBe(true);
  });

  it('keep null for what is not finite', async () => {
    const id = await conversation();
    const events = `[{"id":"a","cost":NaN,"text":"NaN"},{"id":"b","list":[Infinity,-Infinity,1e999]},{"id":"c"}]`;
    expect((await post(`/events/${id}`, events)).status).toBe(200);
    const read = await service.call<unknown[]>('GET', `/api/v1/conversation/${id}/events?ids=a,b,c`);
    expect(read.body).toEqual([
      { id: 'a', cost: null, text: 'NaN' },
      { id: 'b', list: [null, null, Infinity] },
      { id: 'c' },
    ]);
    const info = `{"id":"${id}","execution_status":"running","stats":{"usage_to_metrics":{"a":{"accumulated_cost":NaN}}}}`;
    expect((await post('/conversations', info)).status).toBe(200);
    expect((await service.record(id)).execution_status).toBe('running');
  });

  describe('are refused whole', () => {
    it.each([
      ['broken JSON', '[{', 422],
      ['no array', '{"id":"x"}', 422],
      ['nothing but what is no event', '[7,{"kind":"PauseEvent"},{"id":7}]', 400],
    ])('with %s', async (_, body, status) => {
      const id = await conversation();
      expect((await post(`/events/${id}`, body)).status).toBe(status);
      expect(await stored(id)).toEqual([]);
    });

    it.each([
      ['no id', '{"title":"x"}', 400],
      ['an id that is no UUID', '{"id":"nonsense"}', 400],
      ['no object', '[]', 400],
      ['nothing', '', 422],
    ])('as the state of a conversation with %s', async (_, body, status) => {
      expect((await post('/conversations', body)).status).toBe(status);
    });
  });
});
