import { type DemoClient, itemsOf, recordOf } from './demo-client';
import { say, step } from './screen';

const OVER = ['READY', 'ERROR'];

function textMessage(text: string): { content: { type: string; text: string }[] } {
  return { content: [{ type: 'text', text }] };
}

/** Shows the command of a call, and makes it. */
type Show = (command: string) => void;

/**
 * A conversation starts in a sandbox, a message queued meanwhile is delivered, a follow-up is sent, the
 * events come back and are read by id, and the organization's list shows it all.
 * @returns the id of the conversation
 */
export async function playStory(client: DemoClient, show: Show): Promise<string> {
  const call = (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    show(client.curl(method, path, body));
    return client.call(method, path, body);
  };

  step('1. Start a conversation');
  const task = await call('POST', '/api/v1/app-conversations', {
    title: 'A first conversation',
    initial_message: textMessage('Hello! What can you do?'),
  });
  const taskId = String(task.id);
  say(`task ${taskId}: ${String(task.status)}`);

  step('2. Queue a message while it starts');
  const queued = await call(
    'POST',
    `/api/v1/conversations/${taskId}/pending-messages`,
    textMessage('And in one sentence?'),
  );
  say(`queued at position ${String(queued.position)}`);

  step('3. Follow the start');
  const ended = await followStart(client, taskId, show);
  if (ended.status === 'ERROR') throw new Error(`the conversation did not start: ${String(ended.detail)}`);
  const id = String(ended.app_conversation_id);
  const shown = await showMessages(client, id, 2, 0);

  step('4. Send a follow-up');
  const sent = await call('POST', `/api/v1/app-conversations/${id}/send-message`, textMessage('Thank you.'));
  say(`sandbox ${String(sent.sandbox_status)}`);
  await showMessages(client, id, 3, shown);

  step('5. Read an event by its id');
  const page = await client.call('GET', `/api/v1/conversation/${id}/events/search?limit=100`);
  const event = itemsOf(page).at(-1) ?? {};
  const read = await call('GET', `/api/conversations/${id}/events/${String(event.id)}`);
  say(`${String(read.kind)} of ${String(read.timestamp)}`);

  step("6. See it in the organization's list");
  const { org_id } = await client.call('GET', '/api/keys/current');
  const list = await call('GET', `/api/organizations/${String(org_id)}/conversations?per_page=5`);
  for (const item of itemsOf(list))
    say(`${String(item.title)}: ${String(item.execution_status)}, by ${String(item.user_email)}`);
  return id;
}

async function followStart(client: DemoClient, taskId: string, show: Show): Promise<Record<string, unknown>> {
  const path = `/api/v1/app-conversations/start-tasks?ids=${taskId}`;
  show(client.curl('GET', path));
  let seen = '';
  return client.until('The start', async () => {
    const task = itemsOf(await client.call('GET', path))[0] ?? {};
    const status = String(task.status);
    if (status !== seen) say(status);
    seen = status;
    return OVER.includes(status) ? task : undefined;
  });
}

/**
 * Waits for a number of messages, and shows the new ones of both sides.
 * @param shown how many were shown already
 * @returns how many have been shown now
 */
async function showMessages(client: DemoClient, id: string, answers: number, shown: number): Promise<number> {
  const messages = await client.until('The answer', async () => {
    const page = await client.call('GET', `/api/v1/conversation/${id}/events/search?kind__eq=MessageEvent`);
    const found = itemsOf(page);
    return found.filter(({ source }) => source === 'agent').length >= answers ? found : undefined;
  });
  for (const message of messages.slice(shown)) say(`${String(message.source)}: ${textOf(message)}`);
  return messages.length;
}

function textOf(message: Record<string, unknown>): string {
  const { content } = recordOf(message.llm_message);
  return Array.isArray(content) ? content.map(textOfBlock).join(' ') : '';
}

function textOfBlock(block: unknown): string {
  const { text } = recordOf(block);
  return typeof text === 'string' ? text : '';
}
