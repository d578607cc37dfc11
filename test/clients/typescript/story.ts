/**
 * One story by the client that openapi-typescript and openapi-fetch make of `openapi.json`, with their default options:
 * `node story.js <url of the service> <key>`. It fails at the first answer that is not the expected one, and prints the
 * operations it called. Compiled by `../typescript-client.spec.ts`, next to the types that belong to it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './openapi.js';

const [url = '', key = ''] = process.argv.slice(2);
const LIMIT_MS = 120_000;

const called = new Set<string>();
const client = createClient<paths>({ baseUrl: url, headers: { 'X-Access-Token': key } });
client.use({
  onRequest: ({ request, schemaPath }) => {
    called.add(`${request.method} ${schemaPath}`);
  },
});

function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`Not as expected: ${what}`);
}

/** What a call answers with a 2xx. */
function good<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

/** Asks until there is an answer. */
async function until<Found>(what: string, ask: () => Promise<Found | undefined>): Promise<Found> {
  for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await delay(100)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} took too long.`);
}

const text = (said: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text: said }] });

async function start(): Promise<string> {
  const begun = good(
    await client.POST('/api/v1/app-conversations', {
      body: { title: 'A greeting', initial_message: text('Say hello.'), tags: { team: 'shop' } },
    }),
  );
  const queue = { path: { conversation_id: begun.id } };
  const queued = good(
    await client.POST('/api/v1/conversations/{conversation_id}/pending-messages', {
      params: queue,
      body: text('And in French?'),
    }),
  );
  expect(queued.position >= 1, 'a place in the queue');
  const ready = await until('The start', async () => {
    const [task] = good(
      await client.GET('/api/v1/app-conversations/start-tasks', { params: { query: { ids: [begun.id] } } }),
    );
    expect(task?.status !== 'ERROR', 'a start without error');
    return task?.status === 'READY' ? task : undefined;
  });
  expect(ready.app_conversation_id !== null, 'the id of the conversation');
  return ready.app_conversation_id;
}

async function talk(conversation_id: string): Promise<void> {
  const params = { path: { conversation_id } };
  const sent = good(
    await client.POST('/api/v1/app-conversations/{conversation_id}/send-message', {
      params,
      body: text('Thank you.'),
    }),
  );
  expect('success' in sent && sent.success, 'a message that was sent');
  const page = await until('Three answers', async () => {
    const found = good(
      await client.GET('/api/v1/conversation/{conversation_id}/events/search', {
        params: { ...params, query: { limit: 100 } },
      }),
    );
    const answers = found.items.filter((event) => 'llm_message' in event && event.source === 'agent');
    return answers.length >= 3 ? found : undefined;
  });
  const [event] = page.items;
  expect(event !== undefined, 'an event');
  const one = good(
    await client.GET('/api/conversations/{conversation_id}/events/{event_id}', {
      params: { path: { conversation_id, event_id: event.id } },
    }),
  );
  expect(one.kind === event.kind, 'the same event');
  const count = good(await client.GET('/api/v1/conversation/{conversation_id}/events/count', { params }));
  expect(count >= page.items.length, 'a count of the events');
  const { items } = good(
    await client.GET('/api/v1/conversations/{conversation_id}/pending-messages', { params }),
  );
  expect(
    items.every(({ state }) => state === 'delivered'),
    'an empty queue',
  );
}

async function lookAfter(id: string): Promise<void> {
  const renamed = good(
    await client.PATCH('/api/v1/app-conversations/{id}', {
      params: { path: { id } },
      body: { title: 'Greetings' },
    }),
  );
  expect(renamed.title === 'Greetings', 'the new title');
  const { items } = good(await client.GET('/api/v1/app-conversations/search'));
  expect(items[0]?.id === id && items[0].tags['team'] === 'shop', 'the conversation in the list');
  expect(good(await client.GET('/api/v1/app-conversations/count')) === 1, 'one conversation');
  const archive = good(
    await client.GET('/api/v1/app-conversations/{conversation_id}/download', {
      params: { path: { conversation_id: id } },
      parseAs: 'arrayBuffer',
    }),
  );
  expect(Buffer.from(archive).subarray(0, 2).toString() === 'PK', 'a zip archive');
}

async function lookAsOwner(id: string): Promise<void> {
  const { org_id } = good(await client.GET('/api/v1/users/me'));
  expect(org_id !== null, 'an organization');
  const params = { path: { org_id } };
  const page = good(
    await client.GET('/api/organizations/{org_id}/conversations', {
      params: { ...params, query: { sort_by: 'updated_at', per_page: 10 } },
    }),
  );
  expect(page.total_items === 1 && page.items[0]?.id === id, 'one conversation of the organization');
  const one = good(
    await client.GET('/api/organizations/{org_id}/conversations/{conversation_id}', {
      params: { path: { org_id, conversation_id: id } },
    }),
  );
  expect(one.title === 'Greetings', 'its title');
  const stats = good(await client.GET('/api/organizations/{org_id}/conversations/stats', { params }));
  expect(stats.total_conversations === 1, 'its statistics');
  const csv = good(
    await client.GET('/api/organizations/{org_id}/conversations/export', { params, parseAs: 'text' }),
  );
  expect(csv.includes('Greetings'), 'its line of the export');
}

async function pauseAndResume(id: string): Promise<void> {
  const { sandbox_id } = good(
    await client.GET('/api/v1/app-conversations/{id}', { params: { path: { id } } }),
  );
  expect(sandbox_id !== null, 'its sandbox');
  const reaches = (wanted: string) =>
    until(`The sandbox ${wanted}`, async () => {
      const [sandbox] = good(
        await client.GET('/api/v1/sandboxes', { params: { query: { id: [sandbox_id] } } }),
      );
      return sandbox?.status === wanted ? sandbox : undefined;
    });
  const params = { path: { sandbox_id } };
  good(await client.POST('/api/v1/sandboxes/{sandbox_id}/pause', { params }));
  await reaches('PAUSED');
  good(await client.POST('/api/v1/sandboxes/{sandbox_id}/resume', { params }));
  await reaches('RUNNING');
}

async function remove(id: string): Promise<void> {
  const params = { path: { id } };
  const { success } = good(await client.DELETE('/api/v1/app-conversations/{id}', { params }));
  expect(success, 'a deleted conversation');
  const { error } = await client.GET('/api/v1/app-conversations/{id}', { params });
  expect(
    error !== undefined && 'code' in error && error.code === 'conversation_not_found',
    'no conversation any more',
  );
}

const id = await start();
await talk(id);
await lookAfter(id);
await lookAsOwner(id);
await pauseAndResume(id);
await remove(id);
console.log(JSON.stringify([...called]));
