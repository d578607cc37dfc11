/** The interface's calls that are not passed on as they are. */
export const CALLS = String.raw`
/** Whether the button pressed last was the one in the input box, which is to stop the agent and not its sandbox. */
let interrupts = false;
document.addEventListener(
  'click',
  ({ target }) => {
    const button = target.closest?.('[data-testid="stop-button"]');
    if (button) interrupts = button.closest('[data-testid="interactive-chat-box"]') !== null;
  },
  true,
);
const stop = async (request, [sandbox]) => {
  const id = idOfPage();
  if (interrupts) {
    interrupts = false;
    await settled(id);
    return ask('/api/v1/app-conversations/' + id + '/interrupt', request[1]);
  }
  const answer = await ask(...request);
  if (!answer.ok) return answer;
  // The interface would remember it as paused, and take no message when it is opened again: its memory ends here.
  location.assign(records.get(id)?.sandbox_id === sandbox ? '/conversations' : location.href);
  return new Promise(() => undefined);
};
const newId = () =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16),
  );
/** Chooses the id of a new conversation: messages can be sent under it from the beginning. */
const begin = async (request) => {
  const asked = JSON.parse(request[1].body);
  if (asked.parent_conversation_id) return ask(...request);
  const conversation_id = newId();
  const answer = await ask(request[0], { ...request[1], body: JSON.stringify({ ...asked, conversation_id }) });
  if (answer.ok) tasks.set((await answer.clone().json()).id, conversation_id);
  return answer;
};
/** Leads the interface to the conversation at once: on its page for a task that runs it takes no messages. */
const begun = async (request) => {
  const answer = await ask(...request);
  if (answer.status !== 200) return answer;
  const ready = (task) => ({ ...task, status: 'READY', app_conversation_id: tasks.get(task.id) });
  return json((await answer.json()).map((task) => (tasks.has(task?.id) && task.status !== 'ERROR' ? ready(task) : task)));
};
const show = async (request, [, path]) => {
  const answer = await ask(...request);
  if (answer.status !== 200) return answer;
  const content = await answer.json();
  if (path === '/search') return json({ ...content, items: content.items.map(listed) });
  return json(Array.isArray(content) ? content.map(shown) : shown(content));
};
const view = async (request, [id]) => {
  await settled(id);
  return ask(...request);
};
const atDoor = async ([target, init = {}], [method, sandbox]) => {
  const known = [...records.values()].find(({ sandbox_id }) => sandbox_id === sandbox);
  const record = known && (await read(known.id));
  if (record && method !== 'GET' && ['PAUSED', 'ERROR'].includes(record.sandbox_status)) await wake(record);
  if (record) await settled(record.id);
  const headers = new Headers(init.headers);
  headers.delete('X-Session-API-Key');
  return ask(target, { ...init, headers, credentials: 'same-origin' });
};
/** The agent server would be asked, which may be about to stop; they are in the record, too. */
const costs = async (request, [id]) => {
  const record = await read(id);
  return record === null ? ask(...request) : json({ ...record, stats: { usage_to_metrics: { agent: record.metrics } } });
};
const relay = async ([target, init]) => {
  const call = JSON.parse(init.body);
  const [, sandbox] = /\/api\/v1\/sandboxes\/([0-9a-f-]+)\/agent-server$/.exec(call.host) ?? [];
  const known = [...records.values()].find(({ sandbox_id }) => sandbox_id === sandbox);
  const record = known && (await settled(known.id));
  if (!record?.session_api_key) return ask(target, init);
  const headers = { ...call.headers, 'X-Session-API-Key': record.session_api_key };
  return ask(target, { ...init, body: JSON.stringify({ ...call, headers }) });
};
const CALLS = [
  [/^POST \/api\/v1\/sandboxes\/([0-9a-f-]+)\/pause$/, stop],
  [/^POST \/api\/v1\/app-conversations$/, begin],
  [/^GET \/api\/v1\/app-conversations\/start-tasks$/, begun],
  [/^(GET|PATCH) \/api\/v1\/app-conversations(\/search|\/[0-9a-f-]{32,36})?$/, show],
  [/^\w+ \/api\/v1\/app-conversations\/([0-9a-f-]{32,36})\/(?:files?|skills|git\/\w+|switch_\w+)$/, view],
  [/^GET \/api\/v1\/sandboxes\/[0-9a-f-]+\/agent-server\/api\/conversations\/([0-9a-f-]{32,36})$/, costs],
  [/^(\w+) \/api\/v1\/sandboxes\/([0-9a-f-]+)\/agent-server\//, atDoor],
  [/^POST \/api\/cloud-proxy$/, relay],
];
window.fetch = async (...request) => {
  const [target, init] = request;
  const { origin, pathname } = new URL(target.url ?? target, location.href);
  const call = (init?.method ?? target.method ?? 'GET').toUpperCase() + ' ' + pathname;
  const [path, handle] = origin === location.origin ? (CALLS.find(([pattern]) => pattern.test(call)) ?? []) : [];
  return path === undefined ? ask(...request) : handle(request, path.exec(call).slice(1));
};
`;
