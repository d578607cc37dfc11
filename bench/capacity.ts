/**
 * Processor time of the service and of PostgreSQL for one operation of each kind, over HTTP, and so how many of them a
 * core of each carries. That of a message includes what its agent, which echoes, tells of it. What the machine does besides
 * does not count, but makes caches colder. Needs the built service (`npm run build`).
 *
 *   npm run bench -- capacity [--seconds 10] [--conversations 20000]
 */
import 'reflect-metadata';
import { ConversationClient } from '../test/support/service/conversation-client';
import { options } from './options';
import { round } from './org-list-load';
import { postgresProcessorMs, processorMs } from './processor-time';
import { report } from './report';
import { Installation } from './soak/installation';

const { seconds, conversations } = options({ seconds: 10, conversations: 20_000 });
const AT_ONCE = 4;
const MESSAGE = { content: [{ type: 'text', text: 'What does the build say? '.repeat(8) }] };

/** Those that are called in turn: callers of one alone would wait for each other. */
const AT_WORK = 50;

/** What is asked once of a conversation: method, path, body and, for an agent server, its key. */
interface Operation {
  readonly method: string;
  readonly path: (id: string) => string;
  readonly body?: () => unknown;
  readonly sessionKey?: string;
}

async function measure(
  { service, key, databaseFolder, db }: Installation,
  { method, path: pathOf, body, sessionKey }: Operation,
  ids: readonly string[],
): Promise<Record<string, number>> {
  let turn = 0;
  const call = async (): Promise<void> => {
    const path = pathOf(ids[turn++ % ids.length] ?? '');
    const credential =
      sessionKey === undefined ? { 'X-Access-Token': key } : { 'X-Session-API-Key': sessionKey };
    const response = await fetch(service.url + path, {
      method,
      headers: { ...credential, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body()) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  };
  const loop = async (ms: number): Promise<number> => {
    const began = performance.now();
    let calls = 0;
    const caller = async (): Promise<void> => {
      for (; performance.now() - began < ms; calls++) await call();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
    return calls;
  };
  const events = async (): Promise<number> => {
    const [{ count }] = await db.query<[{ count: string }]>('SELECT count(*) FROM events');
    return Number(count);
  };
  await loop(2_000);
  const eventsBefore = await events();
  const usedBefore = {
    service: processorMs(service.child.pid),
    database: await postgresProcessorMs(databaseFolder),
  };
  const calls = await loop(seconds * 1_000);
  const ofService = (processorMs(service.child.pid) - usedBefore.service) / calls;
  const ofDatabase = ((await postgresProcessorMs(databaseFolder)) - usedBefore.database) / calls;
  return {
    calls,
    eventsStored: round(((await events()) - eventsBefore) / calls),
    serviceMs: round(ofService),
    databaseMs: round(ofDatabase),
    perServiceCore: Math.round(1_000 / ofService),
    perDatabaseCore: Math.round(1_000 / ofDatabase),
  };
}

async function main(): Promise<void> {
  const installation = await Installation.start();
  try {
    const { db, agentServer } = installation;
    const client = new ConversationClient(installation.service, installation.key);
    const ids: string[] = [];
    while (ids.length < AT_WORK) ids.push(await client.ready());
    const [{ org, creator }] = await db.query<[{ org: string; creator: string }]>(
      'SELECT org_id AS org, created_by_user_id AS creator FROM conversations LIMIT 1',
    );
    await db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state, title)
       SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), 'ready', 'Fix the flaky test ' || n
         FROM generate_series(1, $3) n`,
      [org, creator, conversations],
    );
    await db.query('VACUUM ANALYZE');
    const event = (): unknown[] => [
      {
        id: crypto.randomUUID(),
        kind: 'PauseEvent',
        source: 'user',
        timestamp: new Date().toISOString(),
        text: 'x'.repeat(600),
      },
    ];
    const operations: Readonly<Record<string, Operation>> = {
      readConversation: { method: 'GET', path: (id) => `/api/v1/app-conversations?ids=${id}` },
      ownList: { method: 'GET', path: () => '/api/v1/app-conversations/search?limit=20' },
      organizationList: { method: 'GET', path: () => `/api/organizations/${org}/conversations` },
      takeEvent: {
        method: 'POST',
        path: (id) => `/api/v1/webhooks/events/${id}`,
        body: event,
        sessionKey: agentServer.apiKey,
      },
      readEvents: { method: 'GET', path: (id) => `/api/v1/conversation/${id}/events/search?limit=50` },
      sendMessage: {
        method: 'POST',
        path: (id) => `/api/v1/app-conversations/${id}/send-message`,
        body: () => MESSAGE,
      },
    };
    const results: Record<string, unknown> = {};
    for (const [name, operation] of Object.entries(operations))
      results[name] = await measure(installation, operation, ids);
    report('capacity', { seconds, conversations, atWork: AT_WORK, atOnce: AT_ONCE, results });
  } finally {
    await installation.stop();
  }
}

void main();
