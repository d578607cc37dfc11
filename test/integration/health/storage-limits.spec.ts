import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { eventually } from '../../support/eventually';
import { QueueCalls, type Receipt } from '../../support/queue/queued-messages';
import { runNow } from '../../support/service/recurring-jobs';

const text = (kibibytes: number): string => 'x'.repeat(kibibytes * 1024);

describe('a limit of stored bytes', () => {
  let queues: QueueCalls;
  let warned: jest.SpyInstance;

  beforeAll(async () => {
    queues = await QueueCalls.start({
      EARLY_QUEUE_MEBIBYTES: '1',
      MESSAGE_MEBIBYTES_PER_USER: '2',
      MESSAGE_MEBIBYTES_PER_ORG: '100',
    });
    warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterAll(async () => {
    warned.mockRestore();
    await queues.close();
  });

  /** Has the job look again. @returns the highest share of each limit that is used */
  async function used(isReached: (shares: Map<string, number>) => boolean): Promise<Map<string, number>> {
    const { db, url } = queues.doubled.service.app;
    warned.mockClear();
    await runNow(db, 'storage-use');
    return eventually(async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const lines = metrics.matchAll(/storage_limit_used_ratio\{limit="(\w+)"\} (\S+)/g);
      const shares = new Map([...lines].map(([, limit = '', share]) => [limit, Number(share)]));
      if (!isReached(shares)) throw new Error(`Used are ${JSON.stringify([...shares])}.`);
      return shares;
    });
  }

  /** Each once, however often the job has looked meanwhile. */
  const warnings = (): string[] => {
    const messages = warned.mock.calls.map(([message]) => String(message));
    return [...new Set(messages.filter((message) => message.includes(' of the limit ')))];
  };

  it('is in the metrics by how far it is used, and in the log from 80 % on', async () => {
    const id = randomUUID();
    const { body } = await queues.post<Receipt>(id, text(900));
    const shares = await used((found) => found.has('early_queue_messages'));
    expect(shares.get('early_queue_messages')).toBeCloseTo(900 / 1024, 1);
    expect(shares.get('user_messages')).toBeCloseTo(450 / 1024, 1);
    await eventually(() =>
      expect(warnings()).toEqual([
        expect.stringMatching(/^\S+ uses 88 % of the limit early_queue_messages$/),
      ]),
    );

    const { id: waiting } = await queues.waiting();
    expect((await queues.post(waiting, text(1_000))).status).toBe(200);
    await used((found) => (found.get('user_messages') ?? 0) > 0.8);
    const { userId } = queues.doubled.service.owner;
    await eventually(() => expect(warnings()).toContain(`${userId} uses 93 % of the limit user_messages`));

    expect((await queues.call('DELETE', id, `/${body.id}`)).status).toBe(204);
    const left = await used((found) => (found.get('user_messages') ?? 1) < 0.8);
    expect([...left.keys()]).not.toContain('early_queue_messages');
    warned.mockClear();
    await used((shares) => (shares.get('user_messages') ?? 1) < 0.8);
    expect(warnings()).toEqual([]);
  });
});
