/** Ten calls by the client that hey-api makes of `openapi.json`; see `../generators.ts`. */
import { setTimeout as delay } from 'node:timers/promises';
import { client } from './hey-api/client.gen.js';
import {
  batchGetStartTasks,
  countConversationEvents,
  deleteAppConversation,
  getCurrentUser,
  listOrgConversations,
  queuePendingMessage,
  searchAppConversations,
  searchConversationEvents,
  startAppConversation,
  updateAppConversation,
} from './hey-api/index.js';

const [baseUrl = '', key = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, headers: { 'X-Access-Token': key } });

const called = new Set<string>();
client.interceptors.request.use((request, { url }) => {
  called.add(`${request.method} ${url}`);
  return request;
});

const text = (said: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text: said }] });
const throwOnError = true;

function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`Not as expected: ${what}`);
}

async function until<Found>(ask: () => Promise<Found | null | undefined>): Promise<Found> {
  for (;;) {
    const found = await ask();
    if (found != null) return found;
    await delay(100);
  }
}

const { data: user } = await getCurrentUser({ throwOnError });
const { data: begun } = await startAppConversation({
  body: { title: 'A greeting', initial_message: text('Say hello.'), tags: { team: 'shop' } },
  throwOnError,
});
const queue = { path: { conversation_id: begun.id }, body: text('And in French?'), throwOnError } as const;
expect((await queuePendingMessage(queue)).data.position >= 1, 'a place in the queue');
const id = await until(async () => {
  const { data } = await batchGetStartTasks({ query: { ids: [begun.id] }, throwOnError });
  return data[0]?.status === 'READY' ? data[0].app_conversation_id : null;
});
const path = { conversation_id: id };
const events = await until(async () => {
  const { data } = await searchConversationEvents({ path, query: { limit: 100 }, throwOnError });
  const answers = data.items.filter((event) => 'llm_message' in event && event.source === 'agent');
  return answers.length >= 2 ? data.items : null;
});
const { data: count } = await countConversationEvents({ path, throwOnError });
expect(count >= events.length, 'a count of the events');
const { data: renamed } = await updateAppConversation({
  path: { id },
  body: { title: 'Greetings' },
  throwOnError,
});
expect(renamed.title === 'Greetings', 'the new title');
const { data: found } = await searchAppConversations({ query: { tags: ['team:shop'] }, throwOnError });
expect(found.items[0]?.id === id, 'the conversation in the list');
const { data: page } = await listOrgConversations({ path: { org_id: user.org_id }, throwOnError });
expect(
  page.items.some((one) => one.id === id),
  'the conversation of the organization',
);
expect((await deleteAppConversation({ path: { id }, throwOnError })).data.success, 'a deleted conversation');
console.log(JSON.stringify([...called]));
