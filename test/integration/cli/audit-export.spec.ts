import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditLogEntry } from '../../../src/accounts/audit-log/reading/audit-log.dto';
import { runCommand } from '../../../src/operations/cli/command-line';
import { storeAuditRows } from '../../support/audit-log/audit-rows';
import { CliProcess } from '../../support/backup/cli-process';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeOrg } from '../../support/service/factories';

describe('audit:export', () => {
  let app: TestApp;
  let dataDir: string;
  let orgs: string[];
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cli-test-'));
    app = await startTestApp({ env: { APP_ROLE: 'api' } });
    orgs = [(await makeOrg(app.db)).id, (await makeOrg(app.db)).id];
    const [one = '', other = ''] = orgs;
    // The order of positions is another than that of time.
    await storeAuditRows(app.db, one, [{ request_id: '1', at: '2026-11-21T09:00:00.000Z' }]);
    await storeAuditRows(app.db, null, [
      { request_id: '2', at: '2026-11-20T09:00:00.000Z', action: 'org:create' },
    ]);
    await storeAuditRows(app.db, other, [{ request_id: '3', at: '2026-11-22T09:00:00.000Z' }]);
  });
  afterAll(async () => {
    await app.close();
    await rm(dataDir, { recursive: true });
  });

  const env = () => ({
    DATABASE_URL: app.database.url,
    SECRET_KEY: 'a-secret-key-of-tests-0123456789',
    DATA_DIR: dataDir,
  });

  /** Runs the command in this process. @returns what it prints */
  async function run(...args: string[]): Promise<string> {
    const printed: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((text, encoding, done) => {
      printed.push(String(text));
      const after = typeof encoding === 'function' ? encoding : done;
      after?.();
      return true;
    });
    try {
      expect(await runCommand(['audit:export', ...args], env())).toBe('');
    } finally {
      write.mockRestore();
    }
    return printed.join('');
  }

  const requests = (printed: string) =>
    printed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as AuditLogEntry).request_id);

  it('prints all rows as they were written, and nothing else', async () => {
    const { code, output, errors } = await CliProcess.start(['audit:export'], env()).ended;
    expect([code, errors]).toEqual([0, '']);
    expect(requests(output)).toEqual(['1', '2', '3']);
  });

  it.each([
    ['one organization', () => ['--org', orgs[1] ?? ''], ['3']],
    ['what belongs to none', () => ['--installation'], ['2']],
    ['a time', () => ['--since', '2026-11-21', '--until', '2026-11-22T00:00:00Z'], ['1']],
    ['nothing', () => ['--since', '2030-01-01'], []],
  ])('prints the rows of %s as they were written', async (_, args, expected) => {
    expect(requests(await run(...args()))).toEqual(expected);
  });

  it('prints all of many rows, as CSV and as OCSF', async () => {
    const { id } = await makeOrg(app.db);
    await storeAuditRows(app.db, id, [{}]);
    await app.db.query(
      `INSERT INTO audit_log (position, org_id, id, at, actor_kind, action, outcome, entry, hash)
       SELECT nextval('domain_event_positions'), org_id, gen_random_uuid(), at, actor_kind, action, outcome, entry, hash
         FROM audit_log, generate_series(1, 2499) WHERE org_id = $1`,
      [id],
    );
    const csv = await run('--org', id, '--format', 'csv');
    expect(csv.split('\r\n')).toHaveLength(2_502);
    const ocsf = await run('--org', id, '--format', 'ocsf');
    const events = ocsf.trimEnd().split('\n');
    expect(events).toHaveLength(2_500);
    expect(JSON.parse(events[0] ?? '')).toMatchObject({ class_uid: 3005, metadata: { tenant_uid: id } });
  });

  it.each([
    [['--format', 'xml'], '--format must be one of csv, jsonl, ocsf.'],
    [['--since', 'yesterday'], '--since must be a time, for example 2030-01-01T00:00:00Z.'],
    [['--org', 'ours'], '--org must be a UUID.'],
    [
      ['--installation', '--org', 'd8a5f6f2-3f0b-4c7e-9a55-0f6f8f3e2b1c'],
      'Either --org or --installation: rows of one organization, or of none.',
    ],
  ])('refuses %j', async (args, sentence) => {
    await expect(run(...args)).rejects.toThrow(sentence);
  });
});
