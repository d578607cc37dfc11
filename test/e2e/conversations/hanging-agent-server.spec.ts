import { Client } from 'pg';
import { eventually } from '../../support/eventually';
import { QueueCalls, saying } from '../../support/queue/queued-messages';

const SENDS = 200;
/** Conversations that they go to: as many as may wait for one. */
const TARGETS = 20;
/** Connections of the service, apart from those of its worker and of the organization list. */
const POOL = 10;

interface Connection {
  readonly state: string;
  readonly for_seconds: number;
}

describe(`${SENDS} messages that are being sent to an agent server that hangs`, () => {
  let queues: QueueCalls;
  let watcher: Client;

  beforeAll(async () => {
    queues = await QueueCalls.start({
      SEND_TIMEOUT_SECONDS: '120',
      MAX_SANDBOXES: '300',
      MAX_SANDBOXES_PER_ORG: '300',
    });
    watcher = new Client({ connectionString: queues.doubled.service.app.database.url });
    await watcher.connect();
  });
  afterAll(async () => {
    await watcher.end();
    await queues.close();
  });

  /** The service's connections, as PostgreSQL sees them. */
  async function connections(): Promise<Connection[]> {
    const { rows } = await watcher.query<Connection>(
      `SELECT state, extract(epoch FROM clock_timestamp() - state_change)::float8 AS for_seconds
         FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'org-conversation-service'`,
    );
    return rows;
  }

  it(`leave other operations alone, with ${POOL} connections to the database, none of which idles in a transaction`, async () => {
    const { service, double } = queues.doubled;
    const targets = await Promise.all(Array.from({ length: TARGETS }, () => queues.doubled.conversation()));
    const sendPaths = new Set(targets.map((target) => `/api/conversations/${target.id}/events`));
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    double.fail({ kind: 'held', until }, ({ path }) => sendPaths.has(path), Infinity);
    let ended = 0;
    const sends = Array.from({ length: SENDS }, async (_, index) => {
      const response = await service.call(
        'POST',
        `/api/v1/app-conversations/${targets[index % TARGETS]?.id}/send-message`,
        {
          body: saying('hangs'),
          ...(index % 2 === 0 && { headers: { 'Idempotency-Key': `send ${index}` } }),
        },
      );
      ended++;
      return response.status;
    });
    // In addition, queues whose deliveries hang too: more than jobs run at once.
    const hanging = await Promise.all(Array.from({ length: 25 }, () => queues.doubled.conversation()));
    const paths = new Set(hanging.map(({ id }) => `/api/conversations/${id}/events`));
    double.fail({ kind: 'hang', stored: false }, ({ path }) => paths.has(path), Infinity);
    for (const { id } of hanging) await queues.queued(id, ['hangs']);
    const arrived = () => double.calls.filter(({ body }) => body.includes('hangs')).length;
    await eventually(() => expect(arrived()).toBeGreaterThan(100));

    const { id } = await queues.doubled.conversation();
    for (const [method, path, body] of [
      ['GET', '/api/keys', undefined],
      ['GET', '/api/organizations/app', undefined],
      ['GET', `/api/organizations/${service.owner.orgId}/conversations`, undefined],
      ['GET', `/api/v1/app-conversations/${targets[0]?.id}`, undefined],
      ['GET', '/api/v1/sandboxes/search', undefined],
      ['POST', '/api/v1/app-conversations', {}],
      ['POST', `/api/v1/conversations/${id}/pending-messages`, saying('queued meanwhile')],
      ['GET', `/api/v1/conversations/${id}/pending-messages`, undefined],
    ] as const) {
      const { status } = await service.call(method, path, body === undefined ? {} : { body });
      expect([path, status]).toEqual([path, 200]);
      const open = await connections();
      expect(open.length).toBeLessThanOrEqual(POOL);
      expect(open.filter(({ state, for_seconds }) => state.startsWith('idle in') && for_seconds > 5)).toEqual(
        [],
      );
    }
    await eventually(async () =>
      expect(new Set((await connections()).map(({ state }) => state))).toEqual(new Set(['idle'])),
    );
    expect(ended).toBe(0);
    release();
    expect(await Promise.all(sends)).toEqual(Array(SENDS).fill(200));
    // One more place is free for what was queued meanwhile: other deliveries hang on without one.
    await eventually(async () =>
      expect(await queues.texts(id, '?state=delivered')).toEqual(['queued meanwhile']),
    );
  });
});
