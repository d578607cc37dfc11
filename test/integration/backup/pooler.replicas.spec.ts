import { BackedUpDatabase, organizationsIn } from '../../support/backup/backed-up-database';
import { runHere } from '../../support/backup/cli-process';
import { PgBouncer } from '../../support/database/pgbouncer';
import { describeWith } from '../../support/replicas/programs';

const ORGANIZATIONS = 10;
const SHARED =
  'DATABASE_URL leads to a pooler in which connections share sessions. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.';

describeWith('pgbouncer', 'a backup and a restore behind PgBouncer in transaction mode', () => {
  let backedUp: BackedUpDatabase;
  beforeAll(async () => (backedUp = await BackedUpDatabase.make(ORGANIZATIONS)));
  afterAll(() => backedUp.remove());

  it('are refused while they would share sessions, and done by DATABASE_DIRECT_URL', async () => {
    const target = await backedUp.emptyDatabase();
    // One pooler knows all databases of the server by their names.
    const pgbouncer = await PgBouncer.start(backedUp.source.url, 2);
    const pooled = (url: string): string => new URL(new URL(url).pathname, pgbouncer.url).href;
    try {
      const again = backedUp.path('again.age');
      const source = {
        ...backedUp.env(backedUp.source, 'source'),
        DATABASE_URL: pooled(backedUp.source.url),
      };
      await expect(runHere(['backup', '--to', again], source)).rejects.toThrow(SHARED);
      expect(await backedUp.files()).not.toContain('again.age');
      await runHere(['backup', '--to', again], {
        ...source,
        DATABASE_DIRECT_URL: backedUp.source.url,
      });

      const restore = { ...backedUp.env(target, 'target'), DATABASE_URL: pooled(target.url) };
      await expect(runHere(['restore', '--from', again], restore)).rejects.toThrow(SHARED);
      await runHere(['restore', '--from', again], { ...restore, DATABASE_DIRECT_URL: target.url });
      expect(await organizationsIn(target)).toBe(ORGANIZATIONS);
    } finally {
      await pgbouncer.stop();
    }
  });
});
