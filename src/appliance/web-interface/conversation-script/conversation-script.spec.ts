import { eventually } from '../../../../test/support/eventually';
import {
  DOOR,
  ID,
  RECORD,
  SANDBOX,
  ScriptedPage,
  ServerSocket,
  USER,
} from '../../../../test/support/web-interface/scripted-page';

const AT_SERVER = `${DOOR}/api/conversations/${ID}`;
const QUEUE = `/api/v1/conversations/${ID}/pending-messages`;
const RESUME = `POST /api/v1/sandboxes/${SANDBOX}/resume`;
const RUNNING = {
  id: ID,
  created_by_user_id: USER,
  sandbox_id: SANDBOX,
  sandbox_status: 'RUNNING',
  execution_status: 'finished',
  conversation_url: AT_SERVER,
  session_api_key: 'key-of-the-sandbox',
  metrics: { accumulated_cost: 0.25 },
};
const PAUSED = { ...RUNNING, sandbox_status: 'PAUSED', conversation_url: null, session_api_key: null };
const FAILED = { ...PAUSED, sandbox_status: 'ERROR' };
const SHOWN = { ...RUNNING, session_api_key: 'of-the-session' };

describe('the script between the interface and its conversations', () => {
  let page: ScriptedPage;
  beforeEach(() => (page = new ScriptedPage()));
  afterEach(() => page.close());

  const asks = (call: string) => eventually(() => expect(page.asked).toContain(call));
  const message = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
  const event = (id: string, text: string) => ({
    id,
    kind: 'MessageEvent',
    source: 'user',
    timestamp: '2026-01-02T03:04:05',
    llm_message: message(text),
  });
  const server = async (): Promise<ServerSocket> => {
    await eventually(() => expect(ServerSocket.last?.onopen ?? null).not.toBeNull());
    return ServerSocket.last!;
  };

  it.each([RUNNING, PAUSED, FAILED])('shows one that can run as running, at one address', async (record) => {
    expect(await page.record(record)).toEqual([SHOWN]);
  });

  it.each([
    ['that nothing can run in any more', { ...PAUSED, sandbox_status: 'MISSING' }],
    ['of somebody else', { ...RUNNING, created_by_user_id: ID }],
  ])('shows one %s as archived, and asks for nothing but its record', async (_which, record) => {
    const archived = { ...SHOWN, sandbox_status: 'MISSING', execution_status: 'paused' };
    expect(await page.record(record)).toEqual([
      { ...archived, created_by_user_id: record.created_by_user_id },
    ]);
    expect(page.connect().readyState).toBe(ServerSocket.OPEN);
    await eventually(() => expect(page.asked.filter((call) => call === RECORD)).toHaveLength(2));
    expect(await page.call('GET', AT_SERVER)).toMatchObject({ id: ID });
    expect(new Set(page.asked)).toEqual(new Set([RECORD]));
    expect(ServerSocket.last).toBeNull();
  });

  it('lists a failed one as one that can be started again', async () => {
    page.answers.set(`${RECORD}/search`, { items: [FAILED], next_page_id: null });
    expect(await page.call('GET', '/api/v1/app-conversations/search')).toEqual({
      items: [PAUSED],
      next_page_id: null,
    });
  });

  it('makes the pause button an interrupt, and leaves the pause to the menu', async () => {
    await page.record(RUNNING);
    page.answers.set(`POST /api/v1/app-conversations/${ID}/interrupt`, { success: true });
    page.answers.set(`POST /api/v1/sandboxes/${SANDBOX}/pause`, { success: true });
    page.presses('stop-button', { inBox: true });
    expect(await page.call('POST', `/api/v1/sandboxes/${SANDBOX}/pause`)).toEqual({ success: true });
    expect(page.asked).not.toContain(`POST /api/v1/sandboxes/${SANDBOX}/pause`);
    page.presses('stop-button', { inBox: false });
    await page.call('POST', `/api/v1/sandboxes/${SANDBOX}/pause`);
    expect(page.asked).toContain(`POST /api/v1/sandboxes/${SANDBOX}/pause`);
  });

  it('reads costs from the record, whatever the sandbox does', async () => {
    page.answers.set(RECORD, [PAUSED]);
    const stats = { usage_to_metrics: { agent: { accumulated_cost: 0.25 } } };
    expect(await page.call('GET', AT_SERVER)).toMatchObject({ id: ID, stats });
    expect(page.asked).toEqual([RECORD]);
  });

  it('holds back what is sent before the interface has its connection', async () => {
    page.answers.set(RECORD, [RUNNING]);
    expect(page.presses('submit-button', { inBox: true })).toBe(true);
    expect(page.clicked).toEqual([]);
    page.connect();
    await eventually(() => expect(page.clicked).toEqual(['submit-button']));
    expect(page.presses('submit-button', { inBox: true })).toBe(false);
  });

  it('queues messages, shows each as sent, and leaves its event out later', async () => {
    page.answers.set(RECORD, [{ ...PAUSED, sandbox_status: 'STARTING' }]);
    page.answers.set(`POST ${QUEUE}`, { id: ID, queued: true, position: 1 });
    const socket = page.connect();
    socket.send(JSON.stringify({ type: 'auth', session_api_key: 'of-the-session' }));
    socket.send(JSON.stringify(message('Hello.')));
    await eventually(() => expect(page.shown).toMatchObject([{ llm_message: message('Hello.') }, {}]));
    expect(page.bodies).toEqual([message('Hello.')]);
    expect(page.shown[1]).toMatchObject({ value: 'running' });
    page.answers.set(RECORD, [RUNNING]);
    const real = await server();
    real.open();
    for (const id of ['first', 'second', 'first']) real.says(event(id, 'Hello.'));
    expect(page.shown.slice(2)).toMatchObject([{ id: 'second' }]);
    expect(real.sent).toEqual([]);
  });

  it('queues them while the agent server is connected, too, and shows each once, behind what came before', async () => {
    page.answers.set(RECORD, [RUNNING]);
    page.answers.set(`POST ${QUEUE}`, { id: ID, queued: true, position: 1 });
    const socket = page.connect();
    const real = await server();
    real.open();
    page.meanwhile.set(`POST ${QUEUE}`, () => real.says(event('one', 'One.')));
    socket.send(JSON.stringify(message('One.')));
    await eventually(() => expect(page.shown).toHaveLength(2));
    page.meanwhile.clear();
    real.says({ ...event('later', 'Of somebody else.'), timestamp: '2222-01-01T00:00:00.000001' });
    socket.send(JSON.stringify(message('Two.')));
    await eventually(() => expect(page.shown).toHaveLength(4));
    real.says(event('two', 'Two.'));
    expect(page.shown.slice(1)).toMatchObject([
      { id: 'one' },
      { id: 'later' },
      { llm_message: message('Two.'), timestamp: '2222-01-01T00:00:00.001' },
    ]);
    expect(real.sent).toEqual([]);
  });

  it('says which message was refused, by the queue or by the agent server', async () => {
    page.answers.set(RECORD, [RUNNING]);
    const socket = page.connect();
    (await server()).open();
    socket.send(JSON.stringify(message('Too many.')));
    await eventually(() => expect(page.shown).toMatchObject([{}, { detail: 'Not now.' }]));
    page.answers.set(`POST ${QUEUE}`, { id: ID, queued: true, position: 1 });
    page.answers.set(`GET ${QUEUE}`, { items: [{ id: ID, state: 'failed', last_error: 'It is too long.' }] });
    socket.send(JSON.stringify(message('Too long.')));
    await eventually(() => expect(page.shown.slice(3)).toMatchObject([{ detail: 'It is too long.' }]));
  });

  it('shows what waits in the queue when the page is opened', async () => {
    const items = [
      { state: 'queued', ...message('Hello.') },
      { state: 'failed', ...message('Refused.') },
    ];
    page.answers.set(`GET ${QUEUE}`, { items });
    page.answers.set(RECORD, [{ ...PAUSED, sandbox_status: 'STARTING' }]);
    page.connect();
    await eventually(() => expect(page.shown).toMatchObject([{ llm_message: message('Hello.') }, {}]));
  });

  it('shows what was delivered to an agent at work and not taken yet, when the page is opened', async () => {
    page.answers.set(`GET ${QUEUE}`, { items: [] });
    const delivered = ['Hello.', 'Faster!', 'And now?'].map((text) => ({
      id: text,
      state: 'delivered',
      ...message(text),
    }));
    page.answers.set(`GET ${QUEUE}?state=delivering,delivered`, { items: delivered });
    page.answers.set(`GET /api/v1/conversation/${ID}/events/search`, { items: [event('one', 'Hello.')] });
    page.answers.set(RECORD, [{ ...PAUSED, sandbox_status: 'STARTING', execution_status: 'running' }]);
    page.connect();
    await eventually(() => expect(page.shown).toHaveLength(4));
    expect(page.shown.filter(({ kind }) => kind === 'MessageEvent')).toMatchObject([
      { llm_message: message('Faster!') },
      { llm_message: message('And now?') },
    ]);
  });

  it('wakes a paused sandbox when the page is opened, and after that for each message only', async () => {
    page.answers.set(RESUME, { success: true });
    page.answers.set(`POST ${QUEUE}`, { id: ID, queued: true, position: 1 });
    page.answers.set(RECORD, [PAUSED]);
    const socket = page.connect();
    await asks(RESUME);
    for (const text of ['Once.', 'Again.']) {
      page.answers.set(RECORD, [RUNNING]);
      ServerSocket.last = null;
      const real = await server();
      real.open();
      real.says(event(`for ${text}`, 'Once.'));
      page.answers.set(RECORD, [PAUSED]);
      page.asked.length = 0;
      real.close();
      await eventually(() => expect(page.asked.filter((call) => call === RECORD).length).toBeGreaterThan(2));
      expect(page.asked).not.toContain(RESUME);
      page.answers.set(`GET ${QUEUE}`, { items: [{ id: ID, state: 'queued', ...message(text) }] });
      socket.send(JSON.stringify(message(text)));
      await asks(RESUME);
    }
  });

  it('starts a failed one again, three times, then says why it failed, and tries with the next message', async () => {
    const tries = () => page.asked.filter((call) => call === RESUME).length;
    page.answers.set(RESUME, { success: true });
    page.answers.set(`GET /api/v1/sandboxes`, [{ status_detail: 'The agent server ended.' }]);
    page.answers.set(RECORD, [FAILED]);
    page.answers.set(`POST ${QUEUE}`, { id: ID, queued: true, position: 1 });
    const socket = page.connect();
    const detail = 'The agent server ended. Your next message tries to start it again.';
    await eventually(() => expect(page.shown).toMatchObject([{ kind: 'ConversationErrorEvent', detail }]));
    expect(tries()).toBe(3);
    socket.send(JSON.stringify(message('Try again.')));
    await eventually(() => expect(page.shown.filter((shown) => shown.detail === detail)).toHaveLength(2));
    expect(tries()).toBe(4);
  });

  it('opens the door with the session, and relays with the key of the sandbox, once it runs', async () => {
    await page.record({ ...PAUSED, sandbox_status: 'STARTING' });
    page.answers.set('POST /api/cloud-proxy', { count: 1 });
    page.answers.set(`GET /api/v1/sandboxes/${SANDBOX}/agent-server/api/file/home`, { home: '/' });
    const body = { host: DOOR, headers: { 'X-Session-API-Key': 'of-the-session' } };
    const answers = [page.call('POST', '/api/cloud-proxy', body), page.call('GET', `${DOOR}/api/file/home`)];
    await eventually(() => expect(page.asked.length).toBeGreaterThan(2));
    expect(new Set(page.asked)).toEqual(new Set([RECORD]));
    page.answers.set(RECORD, [RUNNING]);
    expect(await Promise.all(answers)).toEqual([{ count: 1 }, { home: '/' }]);
    expect(page.bodies).toEqual([{ ...body, headers: { 'X-Session-API-Key': 'key-of-the-sandbox' } }]);
    const atDoor = page.asked.findIndex((call) => call.endsWith('/api/file/home'));
    expect(page.headers[atDoor]?.has('X-Session-API-Key')).toBe(false);
  });

  it('leads to the page of a conversation that is being started, and tells why it could not be', async () => {
    page.answers.set('POST /api/v1/app-conversations', { id: 'a-task', status: 'WORKING' });
    await page.call('POST', '/api/v1/app-conversations', { initial_message: null });
    const [{ conversation_id }] = page.bodies as [{ conversation_id: string }];
    expect(conversation_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const tasks = (task: object) => page.answers.set('GET /api/v1/app-conversations/start-tasks', [task]);
    const read = () => page.call('GET', '/api/v1/app-conversations/start-tasks?ids=a-task');
    tasks({ id: 'a-task', status: 'WORKING', app_conversation_id: null });
    expect(await read()).toEqual([{ id: 'a-task', status: 'READY', app_conversation_id: conversation_id }]);
    tasks({ id: 'a-task', status: 'ERROR', detail: 'No such branch.' });
    expect(await read()).toMatchObject([{ status: 'ERROR' }]);
  });
});
