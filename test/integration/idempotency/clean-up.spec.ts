import { startTestApp, type TestApp } from '../../support/service/app';
import { makeUser } from '../../support/service/factories';
import { runNow } from '../../support/service/recurring-jobs';

describe('idempotency keys', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  it('are deleted after 24 hours, and not before', async () => {
    const { id } = await makeUser(service.db);
    await service.db.query(
      `INSERT INTO idempotency_keys (user_id, key_digest, request_digest, state, created_at)
       SELECT $1, digest, digest, 'answered', now() - age * interval '1 hour'
         FROM (VALUES (repeat('a', 64), 23), (repeat('b', 64), 25)) AS k (digest, age)`,
      [id],
    );
    await runNow(service.db, 'idempotency-clean-up');
    expect(
      await service.db.query('SELECT key_digest FROM idempotency_keys WHERE user_id = $1', [id]),
    ).toEqual([{ key_digest: 'a'.repeat(64) }]);
  });
});
