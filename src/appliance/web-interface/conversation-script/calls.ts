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
const stop = async (request) => {
  if (!interrupts) return ask(...request);
  interrupts = false;
  const id = idOfPage();
  await settled(id);
  return ask('/api/v1/app-conversations/' + id + '/interrupt', request[1]);
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
/** Whose automation it is: the service has members in a list, page by page. */
const member = async (request, [org, id]) => {
  for (let page = ''; page !== null; ) {
    const answer = await ask('/api/organizations/' + org + '/members?limit=100' + page);
    if (!answer.ok) return answer;
    const { items, next_page_id } = await answer.json();
    const found = items.find(({ user_id }) => user_id === id);
    if (found) return json(found);
    page = next_page_id && '&page_id=' + next_page_id;
  }
  return ask(...request);
};
const CALLS = [
  [/^POST \/api\/v1\/sandboxes\/[0-9a-f-]+\/pause$/, stop],
  [/^POST \/api\/v1\/app-conversations$/, begin],
  [/^GET \/api\/v1\/app-conversations\/start-tasks$/, begun],
  [/^(GET|PATCH) \/api\/v1\/app-conversations(\/search|\/[0-9a-f-]{32,36})?$/, show],
  [/^\w+ \/api\/v1\/app-conversations\/([0-9a-f-]{32,36})\/(?:files?|skills|git\/\w+|switch_\w+)$/, view],
  [/^GET \/api\/v1\/sandboxes\/[0-9a-f-]+\/agent-server\/api\/conversations\/([0-9a-f-]{32,36})$/, costs],
  [/^(\w+) \/api\/v1\/sandboxes\/([0-9a-f-]+)\/agent-server\//, atDoor],
  [/^GET \/api\/organizations\/([0-9a-f-]+)\/members\/([0-9a-f-]{36})$/, member],
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
