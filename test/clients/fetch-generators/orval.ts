/** Ten calls by the client that orval makes of `openapi.json`; see `../generators.ts`. */
import { setTimeout as delay } from 'node:timers/promises';
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
} from './orval/client.js';

const [url = '', key = ''] = process.argv.slice(2);

const called = new Set<string>();

// The client asks for paths, as on a page of the service itself.
const ask = globalThis.fetch;
globalThis.fetch = (path, init) =>
  ask(new URL(String(path), url), { ...init, headers: { ...init?.headers, 'X-Access-Token': key } });

const text = (said: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text: said }] });

function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`Not as expected: ${what}`);
}

/** What a call answers with a 200. */
async function good<Answer extends { status: number; data: unknown }>(
  name: string,
  call: Promise<Answer>,
): Promise<Extract<Answer, { status: 200 }>['data']> {
  const { status, data } = await call;
  expect(status === 200, `${name}: ${status} ${JSON.stringify(data)}`);
  called.add(name);
  return data;
}

async function until<Found>(ask: () => Promise<Found | null | undefined>): Promise<Found> {
  for (;;) {
    const found = await ask();
    if (found != null) return found;
    await delay(100);
  }
}

const user = await good('getCurrentUser', getCurrentUser());
const begun = await good(
  'startAppConversation',
  startAppConversation({
    title: 'A greeting',
    initial_message: text('Say hello.'),
    tags: { team: 'shop' },
  }),
);
const queued = await good('queuePendingMessage', queuePendingMessage(begun.id, text('And in French?')));
expect(queued.position >= 1, 'a place in the queue');
const id = await until(async () => {
  const [task] = await good('batchGetStartTasks', batchGetStartTasks({ ids: [begun.id] }));
  return task?.status === 'READY' ? task.app_conversation_id : null;
});
const events = await until(async () => {
  const { items } = await good('searchConversationEvents', searchConversationEvents(id, { limit: 100 }));
  const answers = items.filter((event) => 'llm_message' in event && event.source === 'agent');
  return answers.length >= 2 ? items : null;
});
const count = await good('countConversationEvents', countConversationEvents(id));
expect(count >= events.length, 'a count of the events');
const renamed = await good('updateAppConversation', updateAppConversation(id, { title: 'Greetings' }));
expect(renamed.title === 'Greetings', 'the new title');
const found = await good('searchAppConversations', searchAppConversations({ tags: ['team:shop'] }));
expect(found.items[0]?.id === id, 'the conversation in the list');
const page = await good('listOrgConversations', listOrgConversations(user.org_id));
expect(
  page.items.some((one) => one.id === id),
  'the conversation of the organization',
);
const { success } = await good('deleteAppConversation', deleteAppConversation(id));
expect(success, 'a deleted conversation');
console.log(JSON.stringify([...called]));
