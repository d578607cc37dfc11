import { KeyUsage } from '../../../src/accounts/api-keys/keys/key-verifier';
import { Clock } from '../../../src/kernel/common';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';

/** A clock of two replicas, set by hand. */
class SetClock extends Clock {
  ms = Date.parse('2030-01-01T00:00:00Z');

  override now(): Date {
    return new Date(this.ms);
  }

  override monotonicMs(): number {
    return this.ms;
  }
}

describe('the last use of a key', () => {
  let app: TestApp;
  beforeAll(async () => (app = await startTestApp({ env: { APP_ROLE: 'api' } })));
  afterAll(() => app.close());

  it('is written at most once a minute, whichever replicas saw it', async () => {
    const clock = new SetClock();
    const { keyId } = await makeCaller(app.db, (await makeOrg(app.db)).id);
    const replicas = [new KeyUsage(app.db, clock), new KeyUsage(app.db, clock)] as const;
    const usedOn = async (replica: KeyUsage): Promise<string | undefined> => {
      replica.note(keyId);
      await replica.flush();
      const [row] = await app.db.query<{ last_used_at: Date }[]>(
        'SELECT last_used_at FROM api_keys WHERE id = $1',
        [keyId],
      );
      return row?.last_used_at.toISOString();
    };
    expect(await usedOn(replicas[0])).toBe('2030-01-01T00:00:00.000Z');
    clock.ms += 59_999;
    expect(await usedOn(replicas[1])).toBe('2030-01-01T00:00:00.000Z');
    clock.ms += 1;
    expect(await usedOn(replicas[0])).toBe('2030-01-01T00:01:00.000Z');
    clock.ms += 59_999;
    expect(await usedOn(replicas[1])).toBe('2030-01-01T00:01:00.000Z');
    clock.ms += 60_000;
    expect(await usedOn(replicas[1])).toBe('2030-01-01T00:02:59.999Z');
  });
});
