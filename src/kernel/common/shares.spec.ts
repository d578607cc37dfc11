import { Shares } from './shares';

describe('shares', () => {
  const shares = () => new Shares({ user: 2, all: 3 }, (most, scope) => new Error(`${most} of ${scope}`));

  it('are refused where a scope is full, and free again when they are given back, once', () => {
    const counted = shares();
    const [release] = [1, 2].map(() => counted.take({ user: 'one', all: '' }));
    expect(() => counted.take({ user: 'one', all: '' })).toThrow('2 of user');
    counted.take({ user: 'two', all: '' });
    expect(() => counted.take({ user: 'three', all: '' })).toThrow('3 of all');
    release?.();
    release?.();
    expect(counted.fits({ user: 'one', all: '' })).toBe(true);
    counted.take({ user: 'one', all: '' });
    expect(counted.fits({ user: 'three', all: '' })).toBe(false);
  });

  it('are not counted in a scope in which they are nobody’s', () => {
    const counted = shares();
    for (let n = 0; n < 3; n++) counted.take({ user: null, all: '' });
    expect(() => counted.take({ user: null, all: '' })).toThrow('3 of all');
  });

  it('are given back when what they were taken for ends, and when it fails', async () => {
    const counted = shares();
    for (let n = 0; n < 5; n++)
      await expect(
        counted.during({ user: 1, all: '' }, () => Promise.reject(new Error('away'))),
      ).rejects.toThrow('away');
    expect(await counted.during({ user: 1, all: '' }, () => Promise.resolve('done'))).toBe('done');
  });
});
