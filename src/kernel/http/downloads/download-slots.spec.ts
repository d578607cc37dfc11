import type { Readable } from 'node:stream';
import { readSettings } from '../../config';
import { DownloadSlots } from './download-slots';

describe('the slots of downloads', () => {
  async function* archive(): AsyncGenerator<Buffer> {
    await Promise.resolve();
    for (;;) yield Buffer.alloc(1_000_000);
  }

  const fill = (slots: DownloadSlots, user: number): Readable =>
    slots
      .fill({ userId: `user-${user}`, orgId: `organization-${Math.floor(user / 10)}` }, archive())
      .on('error', () => undefined);
  const closed = (stream: Readable): Promise<unknown> =>
    new Promise((resolve) => stream.once('close', () => resolve(stream.errored?.message)));

  it('are twelve, six of an organization, four of a user, and free again when an archive is closed', async () => {
    const slots = new DownloadSlots(readSettings({}));
    const refusal = 'Too many conversations are being downloaded';
    const [first] = [1, 1, 1, 1].map((user) => fill(slots, user));
    expect(() => fill(slots, 1)).toThrow(refusal);
    [2, 2].forEach((user) => fill(slots, user));
    expect(() => fill(slots, 3)).toThrow(refusal);
    [11, 11, 11, 12, 12, 12].forEach((user) => fill(slots, user));
    expect(() => fill(slots, 21)).toThrow(refusal);
    if (first) await closed(first.destroy());
    expect(() => fill(slots, 21)).not.toThrow();
  });

  it('are free again after a minute in which nobody reads, and after half an hour in any case', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const slots = new DownloadSlots(readSettings({}));
      const [unread, read] = [fill(slots, 1), fill(slots, 1)];
      const turn = (): Promise<unknown> => new Promise(setImmediate);
      unread.read();
      await turn();
      const unreadEnd = closed(unread);
      const readEnd = closed(read);
      for (let second = 0; second < 1_800; second += 30) {
        expect([read.destroyed, unread.destroyed]).toEqual([false, second >= 60]);
        read.read();
        await turn();
        jest.advanceTimersByTime(30_000);
        await turn();
      }
      expect(await unreadEnd).toContain('nobody read it for 60 s');
      expect(await readEnd).toContain('it took longer than 1800 s');
    } finally {
      jest.useRealTimers();
    }
  });
});
