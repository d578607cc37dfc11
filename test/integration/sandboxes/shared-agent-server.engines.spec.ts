import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Clock } from '../../../src/kernel/common';
import { callTo, type CallMatcher, sendTo } from '../../support/agent-server/agent-server-calls';
import { DoubledService } from '../../support/agent-server/doubled-service';
import { eventually } from '../../support/eventually';
import { saying } from '../../support/queue/queued-messages';
import type { ErrorBody } from '../../support/service/http';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

const HANGING_SENDS = 130;
/** Of one conversation, at a time. */
const MAX_WAITING = 16;
const HANGING_SERVERS = 100;

const isHealthCheck = callTo('GET', '/health');

interface Health {
  readonly status: string;
  readonly answers: boolean;
}

describe('sandboxes that share an agent server', () => {
  let doubled: DoubledService;

  beforeAll(async () => (doubled = await DoubledService.start({ SEND_TIMEOUT_SECONDS: '20' })));
  afterAll(() => doubled.close());

  async function health(): Promise<Health[]> {
    return doubled.service.app.db.query<Health[]>(
      'SELECT DISTINCT status, unanswered_since IS NULL AS answers FROM sandboxes',
    );
  }

  /** Sends messages in turn. @returns the median time */
  async function medianOfSends(conversations: readonly { id: string }[]): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < 20; round++)
      for (const { id } of conversations) {
        const began = awakeMs();
        const path = `/api/v1/app-conversations/${id}/send-message`;
        const response = await doubled.service.call('POST', path, {
          body: { ...saying('Hello'), run: false },
        });
        expect(response.status).toBe(200);
        times.push(awakeMs() - began);
      }
    return times.toSorted((a, b) => a - b)[times.length / 2] ?? NaN;
  }

  it(`are all RUNNING, and take messages as fast as ever, while ${HANGING_SENDS} messages to one conversation hang`, async () => {
    const { service, double } = doubled;
    const { id } = await doubled.conversation();
    const others = await Promise.all(Array.from({ length: 3 }, () => doubled.conversation()));
    const usualMs = await medianOfSends(others);
    double.fail({ kind: 'hang', stored: false }, sendTo(id), HANGING_SENDS);
    const sends = Array.from({ length: HANGING_SENDS }, () =>
      service.call<ErrorBody>('POST', `/api/v1/app-conversations/${id}/send-message`, {
        body: saying('Hello'),
      }),
    );
    const arrived = (wanted: CallMatcher): number => double.arrived(wanted).length;
    await eventually(() => expect(arrived(sendTo(id))).toBe(MAX_WAITING));
    expect(await Promise.race(sends)).toMatchObject({ status: 503, body: { code: 'agent_server_busy' } });
    // Two medians of a loaded machine differ by some milliseconds on their own.
    expect(await medianOfSends(others)).toBeLessThan(Math.max(1.5 * usualMs, usualMs + timeBound(20)));
    const checkedBefore = arrived(isHealthCheck);
    await eventually(() => expect(arrived(isHealthCheck)).toBeGreaterThan(checkedBefore + 2));
    expect(await health()).toEqual([{ status: 'RUNNING', answers: true }]);
    expect(arrived(sendTo(id))).toBe(MAX_WAITING);
    double.heal();
    const responses = await Promise.all(sends);
    const busy = responses.filter(({ body }) => body.code === 'agent_server_busy');
    expect(busy).toHaveLength(HANGING_SENDS - MAX_WAITING);
    expect(busy.every(({ headers }) => Number(headers['retry-after']) > 0)).toBe(true);
  });

  it('are not taken for idle by a replica whose clock is a day ahead', async () => {
    const { double } = doubled;
    await doubled.conversation();
    const ahead = jest
      .spyOn(Clock.prototype, 'now')
      .mockImplementation(() => new Date(Date.now() + 86_400_000));
    try {
      const checks = (): number => double.arrived(isHealthCheck).length;
      const checkedBefore = checks();
      await eventually(() => expect(checks()).toBeGreaterThan(checkedBefore + 2));
      expect(await health()).toEqual([{ status: 'RUNNING', answers: true }]);
    } finally {
      ahead.mockRestore();
    }
  });
});

describe('a run that claimed a sandbox', () => {
  let doubled: DoubledService;

  beforeAll(async () => (doubled = await DoubledService.start()));
  afterAll(() => doubled.close());

  it('keeps it from a replica whose clock is a day ahead, until the claim ends by the clock of the database', async () => {
    const { db } = doubled.service.app;
    const ahead = jest
      .spyOn(Clock.prototype, 'now')
      .mockImplementation(() => new Date(Date.now() + 86_400_000));
    try {
      const { sandboxId } = await doubled.conversation({ sandbox: { status: 'PAUSED' } });
      await db.query(`UPDATE sandboxes SET claimed_until = now() + interval '1 hour' WHERE id = $1`, [
        sandboxId,
      ]);
      const path = `/api/v1/sandboxes/${sandboxId}`;
      expect((await doubled.service.call('POST', `${path}/resume`)).status).toBe(200);
      const planned = async (): Promise<unknown> =>
        db.query('SELECT id, run_at FROM graphile_worker.jobs WHERE key = $1', [`sandbox:${sandboxId}`]);
      const first = await planned();
      // It found the sandbox claimed, and comes back.
      await eventually(async () => expect(await planned()).not.toEqual(first));
      const state = async (): Promise<unknown> =>
        db.query('SELECT status, fence FROM sandboxes WHERE id = $1', [sandboxId]);
      expect(await state()).toEqual([{ status: 'STARTING', fence: '0' }]);
      await db.query('UPDATE sandboxes SET claimed_until = now() WHERE id = $1', [sandboxId]);
      await eventually(async () => expect(await state()).toMatchObject([{ status: 'RUNNING' }]));
    } finally {
      ahead.mockRestore();
    }
  });
});

describe(`${HANGING_SERVERS} agent servers that hang`, () => {
  let doubled: DoubledService;
  let hanging: Server;
  let firstProbeMs: number | null = null;

  beforeAll(async () => {
    doubled = await DoubledService.start();
    hanging = createServer(() => (firstProbeMs ??= awakeMs()));
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  });

  afterAll(async () => {
    await doubled.close();
    hanging.closeAllConnections();
    hanging.close();
  });

  it('are noticed within 10 s, all of them', async () => {
    const { port } = hanging.address() as AddressInfo;
    await Promise.all(
      Array.from({ length: HANGING_SERVERS }, (_, n) =>
        doubled.conversation({ sandbox: { baseUrl: `http://127.0.0.1:${port}/${n}` } }),
      ),
    );
    const { db } = doubled.service.app;
    await eventually(async () => {
      const rows = await db.query<unknown[]>(
        `SELECT FROM sandboxes WHERE status = 'RUNNING' AND unanswered_since IS NULL`,
      );
      expect(rows).toHaveLength(0);
    });
    expect(awakeMs() - (firstProbeMs ?? 0)).toBeLessThan(timeBound(10_000));
  });
});
