import { AgentServerClient, AgentServerFailedError, EventMarkUnknownError } from '../..';
import { json, ScriptedAgentServer } from '../../../../../test/support/agent-server/scripted-agent-server';

const KEY = 'session-key-1';
const CONVERSATION = '720860e7-e485-4395-ba7e-f71b5f082fcb';

let client: AgentServerClient;
let server: ScriptedAgentServer;

beforeEach(async () => {
  client = new AgentServerClient();
  server = await ScriptedAgentServer.start(KEY);
});

afterEach(async () => {
  await client.onApplicationShutdown();
  await server.close();
});

describe('events.get', () => {
  it('gives the event and the text it came as', async () => {
    const raw = '{"id":"e 1/2", "kind":"MessageEvent","timestamp":"2026-01-01T00:00:00","n":1.0}';
    server.respond = (_request, response) => response.end(raw);
    expect(await client.events.get(server.target, CONVERSATION, 'e 1/2')).toMatchObject({
      raw,
      event: { n: 1 },
    });
    expect(server.seen[0]?.url).toBe(`/api/conversations/${CONVERSATION}/events/e%201%2F2`);
  });

  it.each(['', '.', '..', 'search', 'count'])('asks nothing for the id "%s"', async (id) => {
    expect(await client.events.get(server.target, CONVERSATION, id)).toBeNull();
    expect(server.seen).toEqual([]);
  });

  it('takes a 404, and the 500 of an unknown id, for not found, and no other', async () => {
    server.respond = json(404, { detail: 'Not Found' });
    expect(await client.events.get(server.target, CONVERSATION, 'nope')).toBeNull();
    server.respond = json(500, { detail: 'Internal Server Error', exception: "'Unknown event_id: nope'" });
    expect(await client.events.get(server.target, CONVERSATION, 'nope')).toBeNull();
    server.respond = json(500, { detail: 'Internal Server Error', exception: 'disk full' });
    await expect(client.events.get(server.target, CONVERSATION, 'nope')).rejects.toBeInstanceOf(
      AgentServerFailedError,
    );
  });

  it('refuses a response that is another event', async () => {
    server.respond = json(200, { id: 'other', kind: 'PauseEvent', timestamp: 't' });
    await expect(client.events.get(server.target, CONVERSATION, 'one')).rejects.toBeInstanceOf(
      AgentServerFailedError,
    );
  });
});

describe('events.after', () => {
  const log = Array.from({ length: 250 }, (_, i) => ({ id: `e${i}`, kind: 'PauseEvent', timestamp: 't' }));

  beforeEach(() => {
    server.respond = ({ url }, response) => {
      const query = new URL(url, 'http://x').searchParams;
      const start = Math.max(
        log.findIndex(({ id }) => id === query.get('page_id')),
        0,
      );
      const items = log.slice(start, start + Number(query.get('limit')));
      response.end(JSON.stringify({ items, next_page_id: log[start + items.length]?.id ?? null }));
    };
  });

  const idsAfter = async (mark: string | null): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of client.events.after(server.target, CONVERSATION, mark)) ids.push(id);
    return ids;
  };

  it('reads the whole log in order', async () => {
    expect(await idsAfter(null)).toEqual(log.map(({ id }) => id));
  });

  it.each(['e0', 'e99', 'e100', 'e149', 'e249'])('reads what follows %s', async (mark) => {
    expect(await idsAfter(mark)).toEqual(log.slice(Number(mark.slice(1)) + 1).map(({ id }) => id));
  });

  it('does not take an unknown mark for the start of the log', async () => {
    await expect(idsAfter('gone')).rejects.toBeInstanceOf(EventMarkUnknownError);
  });
});
