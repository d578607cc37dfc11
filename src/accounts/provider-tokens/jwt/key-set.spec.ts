import { Clock } from '../../../kernel/common';
import { type Jose, type JWK, loadJose } from './jose';
import { KeySet, KeysUnavailableError } from './key-set';

class SetClock extends Clock {
  ms = 0;

  override monotonicMs(): number {
    return this.ms;
  }
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('the keys of a provider', () => {
  let jose: Jose;
  let clock: SetClock;
  let published: JWK[];
  let readings: number;
  let isDown: boolean;
  let keys: KeySet;
  const jwks = new Map<string, JWK>();

  beforeAll(async () => {
    jose = await loadJose();
    for (const kid of ['old', 'new']) {
      const { publicKey } = await jose.generateKeyPair('ES256', { extractable: true });
      jwks.set(kid, { ...(await jose.exportJWK(publicKey)), kid, alg: 'ES256' });
    }
  });
  beforeEach(() => {
    clock = new SetClock();
    readings = 0;
    isDown = false;
    publish('old');
    keys = new KeySet(jose, clock, async () => {
      readings++;
      await Promise.resolve();
      if (isDown) throw new Error('down');
      return { keys: published };
    });
  });

  const publish = (...kids: string[]): void => {
    published = kids.flatMap((kid) => jwks.get(kid) ?? []);
  };
  /** Whether there is a key of an id. */
  const has = async (kid: string): Promise<boolean | 'unavailable'> => {
    try {
      await keys.keyFor({ alg: 'ES256', kid });
      return true;
    } catch (error) {
      if (error instanceof KeysUnavailableError) return 'unavailable';
      expect(error).toBeInstanceOf(jose.errors.JWKSNoMatchingKey);
      return false;
    }
  };

  it('are read once for all tokens that come at once', async () => {
    const found = await Promise.all(Array.from({ length: 1_000 }, () => has('old')));
    expect([new Set(found), readings]).toEqual([new Set([true]), 1]);
  });

  it('are read again for an unknown id, but at most twice a minute, whatever ids come', async () => {
    expect(await has('old')).toBe(true);
    for (let second = 0; second < 120; second++) {
      clock.ms += SECOND;
      await Promise.all([has(`made up ${second}`), has(`made up ${second}, too`)]);
    }
    expect(readings).toBe(1 + 120 / 30);
  });

  it('are not read again for an id that was just looked for', async () => {
    expect(await has('old')).toBe(true);
    for (let minute = 0; minute < 4; minute++) {
      clock.ms += MINUTE;
      expect(await has('gone')).toBe(false);
    }
    expect(readings).toBe(2);
  });

  it('have a new one found that was published after the last reading, whatever was asked for before', async () => {
    expect(await has('old')).toBe(true);
    expect(await has('made up')).toBe(false);
    expect(await has('new')).toBe(false);
    publish('old', 'new');
    expect(await has('new')).toBe(false);
    clock.ms += 30 * SECOND;
    expect(await has('new')).toBe(true);
    expect(await has('old')).toBe(true);
    expect(readings).toBe(3);
  });

  it('go on to count while they are read again after five minutes; a withdrawn one counts no longer', async () => {
    expect(await has('old')).toBe(true);
    publish('new');
    clock.ms += 5 * MINUTE + 1;
    expect(await has('old')).toBe(true);
    expect(await has('new')).toBe(true);
    expect(await has('old')).toBe(false);
  });

  it('are waited for after six minutes, in which nobody asked: a withdrawn one does not count once more', async () => {
    expect(await has('old')).toBe(true);
    publish('new');
    clock.ms += 6 * MINUTE + 1;
    expect(await has('old')).toBe(false);
  });

  it('go on to count for an hour while the provider is down, which is asked every five seconds', async () => {
    expect(await has('old')).toBe(true);
    isDown = true;
    clock.ms += 5 * MINUTE + 1;
    for (let second = 0; second < 60; second++, clock.ms += SECOND) expect(await has('old')).toBe(true);
    expect(readings).toBe(1 + 60 / 5);
    clock.ms = 60 * MINUTE;
    expect(await has('old')).toBe(true);
    clock.ms += 1;
    expect(await has('old')).toBe('unavailable');
    isDown = false;
    clock.ms += 5 * SECOND;
    expect(await has('old')).toBe(true);
  });

  it('are unavailable where they could not be read, and then not asked for with every token', async () => {
    isDown = true;
    expect(await Promise.all([has('old'), has('old')])).toEqual(['unavailable', 'unavailable']);
    clock.ms += 5 * SECOND - 1;
    isDown = false;
    expect([await has('old'), readings]).toEqual(['unavailable', 1]);
    clock.ms += 1;
    expect(await has('old')).toBe(true);
  });

  it('are none where none are published', async () => {
    published = [];
    expect(await has('1')).toBe(false);
  });
});
