import { Readable } from 'node:stream';
import { DownloadSlots } from './download-slots';

describe('the slots of downloads', () => {
  const fill = (slots: DownloadSlots, user: number): Readable =>
    slots.fill(`user-${user}`, () => Readable.from(['x']));

  it('are twelve, four of one user, and free again when an archive is closed', async () => {
    const slots = new DownloadSlots();
    const [first] = [1, 1, 1, 1].map((user) => fill(slots, user));
    expect(() => fill(slots, 1)).toThrow('Too many conversations are being downloaded');
    [2, 2, 2, 2, 3, 3, 3, 3].forEach((user) => fill(slots, user));
    expect(() => fill(slots, 4)).toThrow('Too many conversations are being downloaded');
    await new Promise((resolve) => first?.once('close', resolve).destroy());
    expect(() => fill(slots, 4)).not.toThrow();
  });
});
