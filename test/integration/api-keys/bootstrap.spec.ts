import { BootstrapService } from '../../../src/accounts/api-keys';
import { isWellFormedKey, newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { StartError } from '../../../src/kernel/common';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/service/app';
import { call } from '../../support/service/http';
import { createTestDatabase } from '../../support/database/postgres';

describe('the first start', () => {
  const started: TestApp[] = [];
  const start = async ({ env, ...options }: TestAppOptions = {}): Promise<TestApp> => {
    const app = await startTestApp({ ...options, env: { APP_ROLE: 'api', ...env } });
    started.push(app);
    return app;
  };
  const bootstrap = ({ app }: TestApp) => app.get(BootstrapService).bootstrap();

  afterEach(async () => {
    for (const app of started.splice(0)) await app.close();
  });

  it('makes one user, one organization they own, and one key bound to it', async () => {
    const app = await start({ env: { BOOTSTRAP_EMAIL: 'First@Example.com', BOOTSTRAP_ORG: 'Ours' } });
    const made = await bootstrap(app);
    expect(made).toMatchObject({ email: 'first@example.com', orgName: 'Ours' });
    expect(isWellFormedKey(made?.key ?? '')).toBe(true);
    expect(
      await app.db.query(
        `SELECT u.email, o.name, m.role, k.org_id = o.id AS bound, u.current_org_id = o.id AS current
           FROM users u JOIN org_members m ON m.user_id = u.id JOIN organizations o ON o.id = m.org_id
           JOIN api_keys k ON k.user_id = u.id`,
      ),
    ).toEqual([{ email: 'first@example.com', name: 'Ours', role: 'owner', bound: true, current: true }]);
  });

  it('happens once', async () => {
    const app = await start();
    expect(await bootstrap(app)).not.toBeNull();
    expect(await bootstrap(app)).toBeNull();
  });

  it('happens once when replicas start together', async () => {
    const database = await createTestDatabase();
    const replicas = await Promise.all([start({ database }), start({ database }), start({ database })]);
    const made = await Promise.all(replicas.map(bootstrap));
    expect(made.filter((result) => result !== null)).toHaveLength(1);
    expect(await replicas[0].db.query('SELECT count(*)::int FROM users')).toEqual([{ count: 1 }]);
    for (const replica of started.splice(0)) await replica.close();
    await database.drop();
  });

  it('uses the key that the operator chose', async () => {
    const BOOTSTRAP_KEY = newKey();
    const app = await start({ env: { BOOTSTRAP_KEY } });
    expect((await bootstrap(app))?.key).toBe(BOOTSTRAP_KEY);
    expect((await call(app, 'GET', '/api/keys/current', { key: BOOTSTRAP_KEY })).status).toBe(200);
  });

  it('is refused with a sentence when that key is none', async () => {
    const app = await start({ env: { BOOTSTRAP_KEY: 'ocs_secret' } });
    await expect(bootstrap(app)).rejects.toThrow(StartError);
    await expect(bootstrap(app)).rejects.toThrow(/^BOOTSTRAP_KEY is not a key/);
    expect(await app.db.query('SELECT 1 FROM users')).toEqual([]);
  });
});
