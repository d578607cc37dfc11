import { setTimeout as sleep } from 'node:timers/promises';
import { ReplicatedPostgres } from '../support/database/replicated-postgres';
import { eventually } from '../support/eventually';
import { QueueCalls } from '../support/queue/queued-messages';
import { type HttpResponse, call, type ErrorBody } from '../support/service/http';
import { awakeMs } from '../support/awake-clock';
import { timeBound } from '../support/time-bound';

const AWAY = 'The database cannot be reached at the moment; try again shortly.';
const READ_ONLY = 'The database is read-only at the moment; try again shortly.';
const FULL = 429;

/** Queues one message after the other for a conversation, whatever becomes of them. */
class Writer {
  /** The texts that were answered with 200. */
  readonly acknowledged: string[] = [];
  /** All texts, those whose outcome is unknown too. */
  readonly tried: string[] = [];
  readonly refusals: HttpResponse<ErrorBody>[] = [];
  private isStopped = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly queues: QueueCalls,
    readonly conversationId: string,
  ) {
    this.running = this.run();
  }

  /** The details of the refusals after so many. */
  detailsSince(count: number): string[] {
    return this.refusals.slice(count).map(({ body }) => body.detail);
  }

  stop(): Promise<void> {
    this.isStopped = true;
    return this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const text = `message ${this.tried.length}`;
      const response = await this.queues.post(this.conversationId, text);
      if (response.status !== FULL) this.tried.push(text);
      if (response.status === 200) this.acknowledged.push(text);
      else if (response.status !== FULL) this.refusals.push(response);
      if (response.status !== 200) await sleep(50);
    }
  }
}

describe('a service whose PostgreSQL fails over to a standby', () => {
  let postgres: ReplicatedPostgres;
  let queues: QueueCalls;

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.make();
    queues = await QueueCalls.start(
      { DELIVERY_SETTLE_SECONDS: '0.5', SEND_TIMEOUT_SECONDS: '2', SEND_CALLS_PER_MINUTE: '0' },
      { url: postgres.url, drop: () => postgres.remove() },
    );
  });
  afterAll(async () => {
    await queues.close();
    await postgres.remove();
  });

  const probe = (path: string): Promise<HttpResponse<ErrorBody>> =>
    call(queues.doubled.service.app, 'GET', path);

  /** Waits until every writer and `/ready` is refused for this reason. */
  async function refused(writers: readonly Writer[], detail: string): Promise<void> {
    const before = writers.map(({ refusals }) => refusals.length);
    await eventually(async () => {
      for (const [i, writer] of writers.entries())
        expect(writer.detailsSince(before[i] ?? 0)).toContain(detail);
      expect(await probe('/ready')).toMatchObject({
        status: 503,
        body: { code: 'database_unavailable', detail },
      });
    });
    expect((await probe('/alive')).status).toBe(200);
  }

  async function acknowledgedMore(writers: readonly Writer[], more: number): Promise<void> {
    const before = writers.map(({ acknowledged }) => acknowledged.length);
    await eventually(() => {
      for (const [i, { acknowledged }] of writers.entries())
        expect(acknowledged.length).toBeGreaterThanOrEqual((before[i] ?? 0) + more);
    });
  }

  it('answers 503 until the standby is promoted, then goes on by itself, and loses nothing it acknowledged', async () => {
    const conversations = await Promise.all(Array.from({ length: 4 }, () => queues.doubled.conversation()));
    const writers = conversations.map(({ id }) => new Writer(queues, id));
    await acknowledgedMore(writers, 5);

    await postgres.killPrimary();
    await refused(writers, AWAY);
    postgres.moveAddress();
    await refused(writers, READ_ONLY);
    await postgres.promote();

    const promoted = awakeMs();
    await acknowledgedMore(writers, 1);
    await eventually(async () => expect((await probe('/ready')).status).toBe(200));
    expect(awakeMs() - promoted).toBeLessThan(timeBound(10_000));
    await acknowledgedMore(writers, 5);
    await Promise.all(writers.map((writer) => writer.stop()));

    for (const { refusals } of writers)
      for (const { status, body, headers } of refusals)
        expect([status, body.code, Number(headers['retry-after']) > 0, [AWAY, READ_ONLY]]).toEqual([
          503,
          'database_unavailable',
          true,
          expect.arrayContaining([body.detail]),
        ]);
    for (const { conversationId, acknowledged, tried } of writers) {
      const delivered = (): string[] =>
        queues.doubled.double.messages(conversationId).map(({ text }) => text);
      await eventually(() => expect(delivered()).toEqual(expect.arrayContaining(acknowledged)), 60_000);
      // In order and once; one whose outcome is unknown may be among them.
      expect(delivered()).toEqual(tried.filter((text) => delivered().includes(text)));
    }
  });
});
