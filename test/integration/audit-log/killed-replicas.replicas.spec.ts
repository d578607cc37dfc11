import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../src/kernel/common';
import { runCommand } from '../../../src/operations/cli/command-line';
import { recorded } from '../../support/audit/audit-rows';
import { CliProcess } from '../../support/backup/cli-process';
import { ask } from '../../support/database/ask';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { rounds } from '../../support/rounds';
import { runNow } from '../../support/service/recurring-jobs';
import { ServiceProcess } from '../../support/service/service-process';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';
const ORGANIZATIONS = 7;
const ROUNDS = rounds(4, 2);
const EACH = 750 * ROUNDS;

describe('the audit log of replicas that are killed', () => {
  let database: TestDatabase;
  let folder: string;
  const replicas: ServiceProcess[] = [];
  const orgIds = Array.from({ length: ORGANIZATIONS }, newId);

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'audit-replicas-'));
    for (const id of orgIds)
      await ask(database.url, 'INSERT INTO organizations (id, name) VALUES ($1, $2)', [id, 'o']);
    await launch(0);
    await launch(1);
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.stop('SIGKILL');
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const env = (n: number): Record<string, string> => ({
    DATABASE_URL: database.url,
    SECRET_KEY,
    DATA_DIR: join(folder, String(n)),
    JOB_LEASE_SECONDS: '1',
  });

  async function launch(n: number): Promise<void> {
    replicas[n] = ServiceProcess.start(env(n));
    await replicas[n].ready;
  }

  const count = async (of: string): Promise<number> => {
    const [row] = await ask(database.url, `SELECT ${of}::int AS count FROM audit_log`);
    return Number(row?.count);
  };

  const verify = async (...args: readonly string[]) =>
    CliProcess.start(['audit:verify', ...args], env(2)).ended;

  it('has each row once, and fits, seals and all', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const before = await count('count(*)');
      await ask(
        database.url,
        `INSERT INTO domain_events (org_id, kind, event)
         SELECT o.id, 'audit.recorded', (e.event || jsonb_build_object('org_id', o.id, 'entry_id', gen_random_uuid()))::json
           FROM (SELECT $1::jsonb AS event) e, generate_series(1, $2) n, unnest($3::uuid[]) AS o (id)`,
        [JSON.stringify(recorded(null)), EACH / ROUNDS, orgIds],
      );
      await eventually(async () => expect(await count('count(*)')).toBeGreaterThan(before));
      await replicas[round % 2]?.stop('SIGKILL');
      // While others write.
      if (round === 1) expect(await verify('--format', 'json')).toMatchObject({ code: 0 });
      await launch(round % 2);
    }
    await eventually(async () => expect(await count('count(*)')).toBe(ORGANIZATIONS * EACH), 120_000);
    expect(await count('count(DISTINCT id)')).toBe(ORGANIZATIONS * EACH);
    await runNow({ query: (sql, values) => ask(database.url, sql, values) }, 'audit-seals');
    const [sealed] = await ask(database.url, 'SELECT sum(rows)::int AS rows FROM audit_seals');
    expect(sealed?.rows).toBe(ORGANIZATIONS * EACH);
    const { code, output } = await verify('--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      chains: ORGANIZATIONS,
      rows: ORGANIZATIONS * EACH,
      unsealed: 0,
      damaged: 0,
      findings: [],
    });
  });

  it('says in lines what it is, and ends with 1 where it was changed', async () => {
    expect(await verify()).toMatchObject({
      code: 0,
      errors: '',
      output: expect.stringMatching(
        new RegExp(
          `^ok {4}The audit log is as it was written\\.\n {6}${ORGANIZATIONS * EACH} rows in 7 chains, 0 of them behind the last seal; \\d+ seals\\.\n`,
        ),
      ) as string,
    });
    const [first = '', second = ''] = orgIds;
    const [row = {}] = await ask(
      database.url,
      `UPDATE audit_log SET entry = replace(entry, 'admin', 'owner')
        WHERE position = (SELECT min(position) FROM audit_log WHERE org_id = $1) RETURNING position || ' (' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ', ' AS name, position`,
      [first],
    );
    const changed = await verify();
    expect(changed).toMatchObject({ code: 1, errors: '' });
    expect(changed.output).toMatch(/^fail {2}The audit log is not as it was written\.\n/);
    expect(changed.output).toContain(
      `fail  changed   ${first}  ${String(row.position)}\n      The row ${String(row.name)}changeMemberRole) is not as it was added.`,
    );
    expect(await verify('--org', first, '--format', 'json')).toMatchObject({ code: 1 });
    const inProcess = (...args: readonly string[]) => runCommand(['audit:verify', ...args], env(2));
    expect(await inProcess('--org', second)).toMatch(/^ok /);
    await expect(inProcess('--org', newId())).rejects.toThrow(
      'There are no rows of this organization in the audit log, and never were.',
    );
    await expect(inProcess('--org', 'mine')).rejects.toThrow('--org must be a UUID.');
    await expect(inProcess('--format', 'xml')).rejects.toThrow('--format must be json.');
  });
});
