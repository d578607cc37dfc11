/**
 * The interface's connection to a conversation. The interface sends messages through an open connection only, and loses
 * them without one. So this one is open while the page is, whether the agent server can be reached or not. Every message
 * goes into the queue of the service: what goes through a connection is lost when the sandbox is being paused. Once it is
 * there, it is shown as sent, and the agent server's own event of it, which comes later, is left out.
 */
export const STANDING_SOCKET = String.raw`
/** How often in a row a sandbox in ERROR is restarted without a new message of its user. */
const MAX_TRIES = 3;
/** After that it counts as one that runs. */
const STEADY_MS = 60_000;
/** How often the queue is looked at while something is in it. */
const QUEUE_LOOK_MS = 5_000;
/** How long a message waits for room in the queue: after 150 s the interface counts it as not sent. */
const MAX_WAIT_MS = 120_000;
/** Statuses of the service while its database is away, and of a proxy while the service is. */
const AWAY = new Set([502, 503, 504]);
const textOf = (content) => content.flatMap(({ text }) => text ?? []).join('');
class StandingSocket extends EventTarget {
  readyState = Socket.OPEN;
  /** Messages that the agent server has not acknowledged. */
  waiting = [];
  acknowledged = new Set();
  leftOut = new Set();
  tries = 0;
  /** Whether it is to run though nothing is in its queue: its page has been opened. */
  isOpened = true;
  turn = Promise.resolve();
  poke = () => undefined;
  constructor(url, id) {
    super();
    this.url = url;
    this.id = id;
    /** The time of the latest event. */
    this.latest = new URL(url).searchParams.get('after_timestamp') ?? '';
    this.queue = '/api/v1/conversations/' + id + '/pending-messages';
    setTimeout(() => {
      if (this.readyState !== Socket.OPEN) return;
      this.emit('open');
      connections.add(this);
      this.follow();
    });
  }
  emit(type, fields = {}) {
    const event = Object.assign(new Event(type), fields);
    this['on' + type]?.(event);
    this.dispatchEvent(event);
  }
  close() {
    if (this.readyState === Socket.CLOSED) return;
    this.readyState = Socket.CLOSED;
    connections.delete(this);
    this.real?.close();
    this.poke();
    says(null);
    setTimeout(() => this.emit('close', { code: 1000, reason: '', wasClean: true }));
  }
  /** Events are as those of agent servers, whose times have no zone, and behind all that came before: the interface sorts. */
  event(fields) {
    const ms = Math.max(Date.now() + ahead, Date.parse(this.latest + 'Z') + 1 || 0);
    this.latest = new Date(ms).toISOString().slice(0, -1);
    const event = { id: newId(), timestamp: this.latest, source: 'environment', ...fields };
    this.emit('message', { data: JSON.stringify(event) });
  }
  show(detail) {
    this.event({ kind: 'ConversationErrorEvent', code: 'sandbox', detail });
  }
  becomes(value) {
    this.event({ kind: 'ConversationStateUpdateEvent', key: 'execution_status', value });
  }
  send(data) {
    const { type, content } = JSON.parse(data);
    if (type === 'auth') return;
    const message = { text: textOf(content), content, at: Date.now() };
    this.turn = this.turn.then(() => this.pass(message)).catch((error) => this.refuse(message, error.message));
  }
  async pass(message) {
    // Before it is stored: the agent server may have it before the answer is here.
    this.waiting.push(message);
    const answer = await this.store(message);
    if (!answer.ok) throw new Error(await detailOf(answer));
    message.id = (await answer.json()).id;
    if (this.waiting.includes(message)) this.showAsSent(message);
    this.tries = Math.min(this.tries, MAX_TRIES - 1);
    this.poke();
  }
  /** Puts it into the queue, once, however often the service is away, and when there is room. */
  async store({ content, at }) {
    const body = JSON.stringify({ role: 'user', content });
    const post = (key) =>
      ask(this.queue, { method: 'POST', headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key }, body });
    let key = newId();
    let isShown = false;
    for (let wait = 500; ; ) {
      const answer = await post(key).catch((error) => (wait > 15_000 ? Promise.reject(error) : null));
      if (answer?.status === 429 && Date.now() - at < MAX_WAIT_MS) {
        if (!isShown) this.show((await detailOf(answer)) + ' Until then your message waits here.');
        isShown = true;
        key = newId();
        await sleep(1000 * (Number(answer.headers.get('Retry-After')) || 5));
      } else if (answer !== null && (wait > 15_000 || !AWAY.has(answer.status))) return answer;
      else await sleep((wait *= 2));
    }
  }
  showAsSent(message) {
    message.isShown = true;
    const llm_message = { role: 'user', content: message.content };
    this.event({ kind: 'MessageEvent', source: 'user', llm_message, activated_skills: [], extended_content: [] });
    if (this.real?.readyState !== Socket.OPEN) this.becomes('running');
  }
  refuse(message, why) {
    this.waiting = this.waiting.filter((other) => other !== message);
    this.show(why);
  }
  receive(data) {
    const event = JSON.parse(data);
    if (event.timestamp > this.latest) this.latest = event.timestamp;
    if (!this.isShown(event)) this.emit('message', { data });
  }
  isShown({ id, kind, source, llm_message }) {
    if (kind !== 'MessageEvent' || source !== 'user') return false;
    const text = textOf(llm_message.content);
    const at = this.acknowledged.has(id) ? -1 : this.waiting.findIndex((message) => message.text === text);
    this.acknowledged.add(id);
    if (at !== -1 && this.waiting.splice(at, 1)[0].isShown) this.leftOut.add(id);
    return this.leftOut.has(id);
  }
  nap(ms) {
    return new Promise((resolve) => {
      this.poke = resolve;
      setTimeout(resolve, ms);
    });
  }
  async follow() {
    while (this.readyState === Socket.OPEN && !this.isOver) await this.step().catch(() => this.nap(3000));
  }
  async step() {
    const record = await read(this.id);
    if (record === null) return this.nap(3000);
    if (!stands(record)) return this.end();
    if (!this.showsQueue) await (this.turn = this.turn.then(() => this.showQueue(record)));
    if (runs(record)) return this.connect(record);
    return record.sandbox_status === 'STARTING' ? this.startIn(500) : this.resume(record);
  }
  /** Reads the queue, and reports why messages failed. */
  async readQueue() {
    const items = await itemsOf(this.queue);
    for (const { id, state, last_error } of items) {
      const message = state === 'failed' && this.waiting.find((waiting) => waiting.id === id);
      if (message) this.refuse(message, last_error ?? 'The agent server does not take this message.');
    }
    return items.filter(({ state }) => state !== 'failed');
  }
  /** What was sent before the page was opened, and is not in the history: an agent takes messages between two steps. */
  async showQueue({ execution_status }) {
    this.showsQueue = true;
    const untaken = execution_status === 'running' ? await this.untaken() : [];
    const queued = (await this.readQueue()).filter(({ state }) => state === 'queued');
    for (const { id, content } of [...untaken, ...queued]) {
      if (this.waiting.some((message) => message.id === id)) continue;
      const message = { id, text: textOf(content), content };
      this.waiting.push(message);
      this.showAsSent(message);
    }
  }
  /** What the agent server has, behind the latest message that there is an event of. */
  async untaken() {
    const events = '/api/v1/conversation/' + this.id + '/events/search?kind__eq=MessageEvent&sort_order=TIMESTAMP_DESC';
    const [sent, taken] = await Promise.all([itemsOf(this.queue + '?state=delivering,delivered'), itemsOf(events)]);
    const texts = new Set(taken.flatMap(({ source, llm_message }) => (source === 'user' ? textOf(llm_message.content) : [])));
    return sent.slice(sent.findLastIndex(({ content }) => texts.has(textOf(content))) + 1);
  }
  async connect(record) {
    const real = new Socket(this.url);
    this.real = real;
    let openedAt = Infinity;
    const closed = new Promise((resolve) => (real.onclose = () => resolve(true)));
    real.onmessage = ({ data }) => this.receive(data);
    real.onopen = () => {
      openedAt = Date.now();
      this.isOpened = false;
      says(null);
      if (this.waiting.length === 0) this.becomes(record.execution_status ?? 'idle');
    };
    while (!(await Promise.race([closed, sleep(QUEUE_LOOK_MS)])))
      if (this.waiting.length > 0) await this.readQueue();
    this.real = null;
    if (this.readyState === Socket.OPEN && this.waiting.length === 0) this.becomes('paused');
    if (Date.now() - openedAt > STEADY_MS) this.tries = 0;
    await this.nap(500);
  }
  async task() {
    const [id] = [...tasks].find(([, conversation]) => conversation === this.id) ?? [];
    const answer = id && (await ask('/api/v1/app-conversations/start-tasks?ids=' + id));
    return answer?.ok ? (await answer.json())[0] : null;
  }
  async startIn(ms) {
    const { detail, status = 'READY' } = (await this.task()) ?? {};
    const step = status === 'READY' ? 'STARTING' : status;
    if (this.readyState === Socket.OPEN) says(detail || step[0] + step.slice(1).toLowerCase().replaceAll('_', ' '));
    await this.nap(ms);
  }
  async resume(record) {
    const failed = record.sandbox_status === 'ERROR';
    const detail = failed ? await this.whyFailed(record) : null;
    if (!(failed ? this.tries < MAX_TRIES : this.isOpened || (await this.isAwaited()))) {
      says(null);
      if (this.tries === MAX_TRIES) this.show(detail + ' Your next message tries to start it again.');
      this.tries += failed ? 1 : 0;
      return this.nap(3000);
    }
    this.tries += failed ? 1 : 0;
    says(failed ? 'Starting again: ' + detail : 'Resuming');
    const refusal = await wake(record);
    if (refusal !== null && refusal !== this.refusal) this.show(refusal);
    this.refusal = refusal;
    await this.nap(refusal === null ? 500 : 30_000);
  }
  /** Whether somebody has sent it a message. */
  async isAwaited() {
    return this.waiting.length > 0 && (await this.readQueue()).length > 0;
  }
  async whyFailed({ sandbox_id }) {
    const answer = await ask('/api/v1/sandboxes?id=' + sandbox_id);
    const [sandbox] = answer.ok ? await answer.json() : [];
    return sandbox?.status_detail ?? 'The sandbox failed.';
  }
  /** The conversation never runs again, or is somebody else's: only its history is shown. */
  async end() {
    this.isOver = true;
    says(null);
    const { status, detail } = (await this.task()) ?? {};
    if (status === 'ERROR') this.show(detail ?? 'The conversation could not be started.');
  }
}
window.WebSocket = new Proxy(Socket, {
  construct(target, [url, ...more]) {
    const [, id] = /\/api\/v1\/sandboxes\/[^/]+\/agent-server\/sockets\/events\/([0-9a-f-]+)/.exec(url) ?? [];
    return id === undefined ? new target(url, ...more) : new StandingSocket(url, id);
  },
});
`;
