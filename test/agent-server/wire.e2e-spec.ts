import { randomUUID } from 'node:crypto';
import { agentServerVersion } from '../../scripts/agent-server-environment';
import { AgentServerClient } from '../../src/sandboxes/agent-server';
import { LLM_OPTION_FIELDS } from '../../src/agents/agent-settings/model-settings/llm-options';
import { eventually } from '../support/eventually';
import { reply } from '../support/model/scripted-model';
import { Bench, type Event, IS_OLDER, message, PATIENCE_MS } from './bench';

/** What the service relies on, asserted of the real agent server itself: conversations. */

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.stop());
afterEach(() => bench.model.reset());

describe('server', () => {
  it('says what it is without a key, and nothing else', async () => {
    expect(await bench.server.call('GET', '/server_info', undefined, '')).toMatchObject({
      status: 200,
      body: { title: 'OpenHands Agent Server', version: agentServerVersion() },
    });
    const response = await bench.server.call('GET', '/api/conversations/search', undefined, 'wrong');
    expect(response).toEqual({ status: 401, body: { detail: 'Unauthorized' } });
  });

  it('lists the models it can call, and by provider those that work well', async () => {
    const client = new AgentServerClient();
    const { providers, models, verified } = await client.models.list({
      baseUrl: `http://127.0.0.1:${bench.server.port}`,
      apiKey: bench.server.apiKey,
    });
    await client.onApplicationShutdown();
    expect(providers).toEqual(expect.arrayContaining(['anthropic', 'openai', 'ollama']));
    expect(models).toEqual(expect.arrayContaining(['azure/gpt-4o', 'gpt-4o']));
    // Which ones these are changes with its version.
    expect(verified).toMatchObject({ openai: expect.arrayContaining([expect.any(String)]) as unknown });
  });

  it('knows of models what can be set about them here, and no more but strategies for failures', async () => {
    const { body } = await bench.server.call('GET', '/openapi.json');
    const { components } = body as { components: { schemas: Record<string, { properties?: object }> } };
    const { 'LLM-Input': input, LLM: only } = components.schemas;
    const known = Object.keys((input ?? only)?.properties ?? {});
    const kept = ['model', 'base_url', 'api_key', ...LLM_OPTION_FIELDS.map(({ name }) => name)];
    // The older one lacks some.
    expect(known.filter((name) => !kept.includes(name))).toEqual(['fallback_strategy']);
    if (!IS_OLDER) expect(kept.filter((name) => !known.includes(name))).toEqual(['is_subscription']);
  });
});

describe('start', () => {
  it('answers 201, then 200 with what exists', async () => {
    const id = await bench.begin({ tags: { a1: 'x' }, unknown_field: 1 });
    const again = await bench.beginAs(id, { tags: { other: 'y' } });
    expect(again).toMatchObject({ status: 200, body: { id, tags: { a1: 'x' } } });
  });

  it('makes a conversation once, however many calls at once ask for its id', async () => {
    const { body: info } = await bench.server.call('GET', '/server_info');
    const { capabilities } = info as { capabilities: string[] };
    expect(capabilities.includes('idempotent_conversation_create_v1')).toBe(!IS_OLDER);
    const id = randomUUID();
    const statuses = (await Promise.all([1, 2, 3].map(() => bench.beginAs(id)))).map(({ status }) => status);
    // The older one makes it three times under one id, and keeps the last.
    expect(statuses.sort()).toEqual(IS_OLDER ? [201, 201, 201] : [200, 200, 201]);
    await bench.send(id, 'once');
    await bench.becomes(id, 'finished');
    expect(await bench.textsOf(id)).toEqual(['once', 'You said: once']);
  });

  it('takes title and tags by PATCH', async () => {
    const id = await bench.begin();
    const changes = { title: 'A title', tags: { b: 'y' } };
    const path = `/api/conversations/${id}`;
    expect(await bench.server.call('PATCH', path, changes)).toEqual({ status: 200, body: { success: true } });
    expect((await bench.server.call('GET', path)).body).toMatchObject(changes);
    const unknown = await bench.server.call('PATCH', `/api/conversations/${randomUUID()}`, changes);
    expect(unknown).toEqual(
      IS_OLDER ? { status: 200, body: { success: false } } : { status: 404, body: { detail: 'Not Found' } },
    );
  });

  it('refuses tags that are not lower-case letters and digits', async () => {
    expect((await bench.beginAs(randomUUID(), { tags: { 'A-b': 'x' } })).status).toBe(422);
  });

  it('hides the values of secrets from responses and from what the agent reads', async () => {
    const value = 'value-of-the-secret';
    const id = await bench.begin({ secrets: { TOKEN: { kind: 'StaticSecret', value } } });
    bench.model.when(
      'show',
      reply.terminal('echo "it is $TOKEN" | rev | rev; echo ${#TOKEN}'),
      reply.text('Shown.'),
    );
    await bench.send(id, 'show');
    await bench.becomes(id, 'finished');
    const secretsReport = JSON.stringify([
      await bench.eventsOf(id),
      await bench.server.call('GET', `/api/conversations/${id}`),
    ]);
    expect(secretsReport).not.toContain(value);
    expect(secretsReport).toContain(`<secret-hidden>\\n${value.length}`);
  });
});

describe('a turn', () => {
  it('answers text, gives usage, and posts every event and the end by webhook', async () => {
    const id = await bench.begin();
    bench.model.when('hello', reply.text('Hello yourself.'));
    expect(await bench.send(id, 'hello')).toEqual({ status: 200, body: { success: true } });
    await bench.becomes(id, 'finished');
    const events = await bench.eventsOf(id);
    expect(await bench.textsOf(id)).toEqual(['hello', 'Hello yourself.']);
    expect((await bench.server.call('GET', `/api/conversations/${id}/agent_final_response`)).body).toEqual({
      response: 'Hello yourself.',
    });
    const { body } = await bench.server.call('GET', `/api/conversations/${id}`);
    expect(body).toMatchObject({
      stats: { usage_to_metrics: { agent: { accumulated_token_usage: { completion_tokens: 4 } } } },
    });
    await bench.ends(id, 'finished');
    await eventually(() => {
      const posted = bench.eventWebhooks(id).flatMap((one) => one.body as Event[]);
      expect(posted.map((event) => event.id)).toEqual(
        expect.arrayContaining(events.map((event) => event.id)),
      );
    }, PATIENCE_MS);
    expect(bench.eventWebhooks(id)[0]!.headers['x-session-api-key']).toBe(bench.server.apiKey);
    const infos = bench.sink.received.filter(({ path }) => path === '/conversations');
    expect(infos.map(({ body: info }) => (info as { id: string }).id)).toContain(id);
  });

  it('answers one event by its id, and says that it does not know another', async () => {
    const id = await bench.begin();
    await bench.send(id, 'kept', false);
    const kept = (await bench.eventsOf(id)).find(({ kind }) => kind === 'MessageEvent');
    const path = `/api/conversations/${id}/events`;
    expect((await bench.server.call('GET', `${path}/${kept!.id}`)).body).toMatchObject({ id: kept!.id });
    expect(await bench.server.call('GET', `${path}/nope`)).toMatchObject(
      IS_OLDER
        ? { status: 500, body: { exception: "'Unknown event_id: nope'" } }
        : { status: 404, body: { detail: 'Not Found' } },
    );
    expect((await bench.server.call('GET', `${path}/count`)).body).toBe((await bench.eventsOf(id)).length);
  });

  it('refuses what is no user message, and unknown conversations', async () => {
    const id = await bench.begin();
    const path = `/api/conversations/${id}/events`;
    expect((await bench.server.call('POST', path, { role: 'user', content: 'text' })).status).toBe(422);
    expect((await bench.server.call('POST', path, { ...message('x'), role: 'assistant' })).status).toBe(500);
    expect((await bench.send(randomUUID(), 'x')).status).toBe(404);
  });

  it.each([
    [400, 'LLMBadRequestError'],
    [500, 'LLMServiceUnavailableError'],
  ])('ends in error when the model answers %d, and goes on with the next message', async (status, code) => {
    const id = await bench.begin();
    bench.model.when('fail', reply.failure(status));
    await bench.send(id, 'fail');
    await bench.ends(id, 'error');
    expect((await bench.eventsOf(id)).at(-1)).toMatchObject({ kind: 'ConversationErrorEvent', code });
    bench.model.when(() => true, reply.text('Better now.'));
    await bench.send(id, 'go on');
    await bench.becomes(id, 'finished');
  });

  it('pauses between steps and goes on with /run', async () => {
    const id = await bench.begin();
    bench.model.when('think', reply.hang(reply.think('one')), reply.text('Thought.'));
    await bench.send(id, 'think');
    await eventually(() => expect(bench.model.hanging).toBe(1), PATIENCE_MS);
    expect((await bench.server.call('POST', `/api/conversations/${id}/run`)).status).toBe(409);
    expect((await bench.server.call('POST', `/api/conversations/${id}/pause`)).status).toBe(200);
    bench.model.release();
    await bench.becomes(id, 'paused');
    // It is called paused while the step it was in still runs, and refuses to run until that has ended.
    await eventually(async () => {
      expect((await bench.server.call('POST', `/api/conversations/${id}/run`)).status).toBe(200);
    }, PATIENCE_MS);
    await eventually(() => expect(bench.model.requests.length).toBeGreaterThan(1), PATIENCE_MS);
    bench.model.release();
    await bench.becomes(id, 'finished');
    expect((await bench.eventsOf(id)).map(({ kind }) => kind)).toContain('PauseEvent');
  });

  it('keeps a message waiting while a command runs, and stores it though its sender has gone', async () => {
    const id = await bench.begin();
    await bench.insideCommand(id, 20);
    const headers = { 'x-session-api-key': bench.server.apiKey, 'content-type': 'application/json' };
    const impatient = fetch(`${bench.server.baseUrl}/api/conversations/${id}/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify(message('meanwhile', false)),
      signal: AbortSignal.timeout(3_000),
    });
    await expect(impatient).rejects.toThrow('timeout');
    expect(await bench.textsOf(id)).toEqual(['take a while']);
    await eventually(async () => expect(await bench.textsOf(id)).toContain('meanwhile'), PATIENCE_MS);
  });

  it('interrupts a running command at once', async () => {
    const id = await bench.begin();
    await bench.insideCommand(id, 60);
    expect((await bench.server.call('POST', `/api/conversations/${id}/interrupt`)).status).toBe(200);
    await bench.becomes(id, 'paused');
  });
});
