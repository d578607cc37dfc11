import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { measuredRow } from '../clients/measured-row';
import { eventually } from '../support/eventually';
import { ConversationService } from '../support/service/conversation-service';

interface StartTask {
  readonly id: string;
  readonly status: string;
  readonly app_conversation_id: string | null;
  readonly sandbox_id: string | null;
  readonly created_at: string;
}

interface PublicRecord {
  readonly id: string;
  readonly title: string | null;
  readonly sandbox_id: string;
  readonly sandbox_status: string;
  readonly execution_status: string | null;
  readonly selected_repository: string | null;
  readonly conversation_url: string | null;
  readonly session_api_key: string | null;
  readonly metrics: { readonly accumulated_token_usage: object };
}

interface PublicEvent {
  readonly id: string;
  readonly kind: string;
  readonly system_prompt?: { readonly text: string };
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_page_id: string | null;
}

/** A client of the public interface: plain HTTP with a Bearer key, and nothing that only this service has. */
class PublicClient {
  /** The requests that were answered as expected: each once, without ids and query. */
  readonly calls = new Set<string>();

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async response(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${this.url}/api/v1/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    this.calls.add(`${method} ${path.replace(/\?.*$/, '').replaceAll(/[0-9a-f-]{36}/g, '{id}')}`);
    return response;
  }

  async get<Body>(path: string): Promise<Body> {
    return (await this.response('GET', path)).json() as Promise<Body>;
  }

  async post<Body>(path: string, body?: unknown): Promise<Body> {
    return (await this.response('POST', path, body)).json() as Promise<Body>;
  }

  /** Starts a conversation, and asks for its task until it has ended. */
  async started(request: object): Promise<{ readonly task: StartTask; readonly id: string }> {
    const begun = await this.post<StartTask>('app-conversations', request);
    const task = await eventually(async () => {
      const [found] = await this.get<(StartTask | null)[]>(`app-conversations/start-tasks?ids=${begun.id}`);
      if (!['READY', 'ERROR'].includes(found?.status ?? '')) throw new Error(`It is ${found?.status}.`);
      return found;
    });
    expect(task).toMatchObject({ id: begun.id, status: 'READY', created_at: begun.created_at });
    return { task: task as StartTask, id: task?.app_conversation_id ?? '' };
  }

  /** Reads a conversation until its agent is done. */
  finished(id: string): Promise<PublicRecord> {
    return eventually(async () => {
      const [record] = await this.get<(PublicRecord | null)[]>(`app-conversations?ids=${id}`);
      if (record?.execution_status !== 'finished') throw new Error(`It is ${record?.execution_status}.`);
      return record;
    });
  }

  /** Reads the events of a conversation until the last one says that its agent is done. */
  events(id: string): Promise<Page<PublicEvent>> {
    return eventually(async () => {
      const page = await this.get<Page<PublicEvent>>(`conversation/${id}/events/search?limit=1000`);
      expect(page.items.at(-1)).toMatchObject({
        kind: 'ConversationStateUpdateEvent',
        key: 'full_state',
        value: { execution_status: 'finished' },
      });
      return page;
    });
  }

  /** Reads a sandbox until it has a status. */
  async sandboxIs(id: string, status: string): Promise<void> {
    await eventually(async () => {
      const [sandbox] = await this.get<({ status: string } | null)[]>(`sandboxes?id=${id}`);
      expect(sandbox?.status).toBe(status);
    });
  }
}

const message = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

describe('clients of the public interface, by plain HTTP with a Bearer key', () => {
  let service: ConversationService;
  let client: PublicClient;
  beforeAll(async () => {
    service = await ConversationService.start();
    client = new PublicClient(service.app.url, service.owner.key);
  });
  afterAll(() => service.close());

  it('start a conversation, follow it, read and download its events, pause and resume its sandbox', async () => {
    expect(await client.get('users/me')).toMatchObject({
      id: service.owner.userId,
      org_id: service.owner.orgId,
    });
    expect(await client.get('app-conversations/search?limit=1000')).toEqual({
      items: [],
      next_page_id: null,
    });

    const { task, id } = await client.started({
      initial_message: { ...message('Say hello.'), run: true },
      selected_repository: null,
      selected_branch: null,
      title: 'A greeting',
      system_message_suffix: 'Greet in verse.',
    });
    const other = await client.started({});
    const record = await client.finished(id);
    expect(record).toMatchObject({
      id,
      title: 'A greeting',
      selected_repository: null,
      sandbox_id: task.sandbox_id,
      sandbox_status: 'RUNNING',
      metrics: { accumulated_token_usage: expect.any(Object) as object },
    });

    const both = await client.get<PublicRecord[]>(`app-conversations?ids=${id}&ids=${other.id}`);
    expect(both.map((one) => one.id)).toEqual([id, other.id]);
    expect(await client.get('app-conversations/count')).toBe(2);
    expect(await client.get('app-conversations/start-tasks/count')).toBe(2);
    const found = await client.get<Page<PublicRecord>>('app-conversations/search?limit=1000');
    expect(found.items.map((one) => one.id)).toEqual([other.id, id]);

    const events = await client.events(id);
    expect(events.next_page_id).toBeNull();
    expect(await client.get(`conversation/${id}/events/count`)).toBe(events.items.length);
    expect(events.items.filter(({ kind }) => kind === 'MessageEvent')).toHaveLength(2);
    const prompt = events.items.find(({ kind }) => kind === 'SystemPromptEvent')?.system_prompt;
    expect(prompt?.text.endsWith('\n\nGreet in verse.')).toBe(true);

    const archive = await client.response('GET', `app-conversations/${id}/download`);
    expect(archive.headers.get('content-type')).toBe('application/zip');
    const files = await unzipped(Buffer.from(await archive.arrayBuffer()));
    const { 'meta.json': meta, ...rest } = files;
    expect(meta).toMatchObject({ id, title: 'A greeting' });
    expect(Object.keys(rest).every((name) => /^event_.*\.json$/.test(name))).toBe(true);
    expect(Object.values(rest).map((event) => (event as PublicEvent).id)).toEqual(
      events.items.map((event) => event.id),
    );

    const sandboxes = await client.get<Page<{ id: string }>>('sandboxes/search?limit=1000');
    expect(sandboxes.items.map((one) => one.id)).toContain(record.sandbox_id);
    const specs = await client.get<Page<{ id: string }>>('sandbox-specs/search?limit=1000');
    expect(specs.items).toHaveLength(1);
    expect(await client.get(`sandbox-specs?id=${specs.items[0]?.id}`)).toEqual(specs.items);

    expect(await client.post(`sandboxes/${record.sandbox_id}/pause`)).toEqual({ success: true });
    await client.sandboxIs(record.sandbox_id, 'PAUSED');
    expect(await client.post(`sandboxes/${record.sandbox_id}/resume`)).toEqual({ success: true });
    await client.sandboxIs(record.sandbox_id, 'RUNNING');
  });

  it('wait for what an agent concludes, and read it at its agent server where the service has too little', async () => {
    const { task, id } = await client.started({
      initial_message: message('Is this issue a duplicate?'),
      title: 'Duplicates',
    });
    expect(task.status.toLowerCase()).toBe('ready');
    const record = await client.finished(id);
    const stored = (await client.events(id)).items.map((event) => event.id);

    const ask = (path: string): Promise<Response> =>
      fetch(`${record.conversation_url}${path}`, {
        headers: { 'X-Session-API-Key': record.session_api_key ?? '' },
      });
    // Agent servers refuse what the service counts as 100, and such clients ask again.
    expect((await ask('/events/search?limit=1000')).ok).toBe(false);
    const there = (await (await ask('/events/search?limit=100')).json()) as Page<PublicEvent>;
    expect(there.items.length).toBeGreaterThan(0);
    // The service has snapshots of the state as well, which agent servers tell and do not keep.
    expect(stored).toEqual(expect.arrayContaining(there.items.map((event) => event.id)));
    const conclusion = (await (await ask('/agent_final_response')).json()) as { response: string };
    expect(conclusion.response).toContain('Is this issue a duplicate?');
    const agentServer = record.conversation_url?.split('/api/conversations')[0];
    expect((await fetch(`${agentServer}/health`)).ok).toBe(true);
  });

  it('make as many different calls as the documentation says', async () => {
    const { size: calls } = client.calls;
    expect(await measuredRow('[plain HTTP](#plain-http)')).toEqual({ version: '', calls, asExpected: calls });
  });
});

/** The JSON files of an archive, in its order. */
async function unzipped(archive: Buffer): Promise<Record<string, unknown>> {
  const zip = await fromBufferPromise(archive);
  const files: Record<string, unknown> = {};
  for await (const entry of zip.eachEntry()) {
    const text = (await buffer(await zip.openReadStreamPromise(entry))).toString('utf8');
    files[entry.fileName] = JSON.parse(text);
  }
  return files;
}
