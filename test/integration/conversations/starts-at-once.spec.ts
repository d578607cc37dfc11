import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { ConversationService, type StartTask } from '../../support/service/conversation-service';
import type { HttpResponse } from '../../support/service/http';

/** More than the service has connections (10), as many as an organization may have sandboxes. */
const STARTS = 20;

describe('more starts at once than the service has connections', () => {
  let service: ConversationService | undefined;
  let double: AgentServerDouble;

  beforeAll(async () => {
    double = await AgentServerDouble.start();
  });

  afterEach(async () => {
    // Nothing runs in them: there is nothing to wait for.
    await service?.app.db.query(`UPDATE sandboxes SET status = 'MISSING', stopping = NULL`);
    await service?.close();
  });

  afterAll(async () => {
    await double.stop();
  });

  /** Waiting for a connection fails after 5 s, and is answered with 503. */
  function startsAtOnce(on: ConversationService): Promise<HttpResponse<StartTask>[]> {
    return Promise.all(
      Array.from({ length: STARTS }, () =>
        on.call<StartTask>('POST', '/api/v1/app-conversations', { body: {} }),
      ),
    );
  }

  it('are all taken where the server serves the organization that came first', async () => {
    service = await ConversationService.start({
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: double.url,
      AGENT_SERVER_API_KEY: double.target.apiKey,
    });
    const responses = await startsAtOnce(service);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  });

  it('are all taken by a replica that runs no sandboxes, for the hosts that do', async () => {
    service = await ConversationService.start({ APP_ROLE: 'api' });
    await service.app.db.query(
      `INSERT INTO sandbox_hosts (id, seen_at) VALUES ('one', now() + interval '1 hour'), ('two', now() + interval '1 hour')`,
    );
    const responses = await startsAtOnce(service);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const hosts = await service.app.db.query<unknown[]>(
      'SELECT host_id, count(*)::int AS sandboxes FROM sandboxes GROUP BY host_id ORDER BY host_id',
    );
    expect(hosts).toEqual([
      { host_id: 'one', sandboxes: STARTS / 2 },
      { host_id: 'two', sandboxes: STARTS / 2 },
    ]);
  });
});
