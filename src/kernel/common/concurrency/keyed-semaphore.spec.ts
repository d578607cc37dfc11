import { KeyedSemaphore } from './keyed-semaphore';

describe('what a keyed semaphore counts', () => {
  const semaphore = () =>
    new KeyedSemaphore({ user: 2, all: 3 }, (most, scope) => new Error(`${most} of ${scope}`));

  it('is refused where a scope is full, and free again when it is given back, once', () => {
    const counted = semaphore();
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

  it('is not counted in a scope in which it is nobody’s', () => {
    const counted = semaphore();
    for (let n = 0; n < 3; n++) counted.take({ user: null, all: '' });
    expect(() => counted.take({ user: null, all: '' })).toThrow('3 of all');
  });

  it('is given back when what it was taken for ends, and when that fails', async () => {
    const counted = semaphore();
    for (let n = 0; n < 5; n++)
      await expect(
        counted.during({ user: 1, all: '' }, () => Promise.reject(new Error('away'))),
      ).rejects.toThrow('away');
    expect(await counted.during({ user: 1, all: '' }, () => Promise.resolve('done'))).toBe('done');
  });

  it('is waited for in its order, but not by those who have what only others lack', async () => {
    const counted = semaphore();
    const order: string[] = [];
    const use = async (user: string, name: string) => {
      const release = await counted.acquire({ user, all: '' });
      order.push(name);
      return release;
    };
    const held = [await use('one', 'a'), await use('one', 'b')];
    const third = use('one', 'c');
    const fourth = use('one', 'd');
    await use('two', 'other');
    expect([order, counted.waiting]).toEqual([['a', 'b', 'other'], 2]);
    for (const release of held) release();
    await Promise.all([third, fourth]);
    expect(order).toEqual(['a', 'b', 'other', 'c', 'd']);
  });

  it('is not overtaken by what is smaller of the same one', async () => {
    const bytes = new KeyedSemaphore({ user: 10 });
    const release = await bytes.acquire({ user: 1 }, { units: 8 });
    const order: string[] = [];
    const wait = (name: string, units: number) =>
      bytes.acquire({ user: 1 }, { units }).then((done) => {
        order.push(name);
        done();
      });
    const waits = [wait('large', 6), wait('small', 1)];
    expect(bytes.used('user', 1)).toBe(8);
    release();
    await Promise.all(waits);
    expect(order).toEqual(['large', 'small']);
    expect(bytes.used('user', 1)).toBe(0);
  });

  it('is not waited for any more by whoever gives up', async () => {
    const counted = new KeyedSemaphore({ all: 1 });
    const release = await counted.acquire({ all: '' });
    const controller = new AbortController();
    const waiting = counted.whenFree({ all: '' }, () => Promise.resolve(), { signal: controller.signal });
    controller.abort(new Error('gave up'));
    await expect(waiting).rejects.toThrow('gave up');
    expect(counted.waiting).toBe(0);
    release();
    await expect(counted.whenFree({ all: '' }, () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it('may depend on whose it is', () => {
    const counted = new KeyedSemaphore({ user: (key) => Number(key) });
    counted.take({ user: '1' });
    counted.take({ user: '2' });
    expect([counted.fits({ user: '1' }), counted.fits({ user: '2' })]).toEqual([false, true]);
  });
});
