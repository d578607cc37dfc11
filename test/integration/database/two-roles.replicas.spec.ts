import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { examineInstallation } from '../../../src/operations/doctor';
import { recorded } from '../../support/audit/audit-rows';
import { CliProcess, runHere } from '../../support/backup/cli-process';
import { ask } from '../../support/database/ask';
import { makeTwoRoles, type TwoRoles } from '../../support/database/two-roles';
import { eventually } from '../../support/eventually';
import { saying } from '../../support/queue/queued-messages';
import { ConversationClient } from '../../support/service/conversation-client';
import { ServiceProcess } from '../../support/service/service-process';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';

describe('a database whose schema another role owns', () => {
  let roles: TwoRoles;
  let folder: string;
  let service: ServiceProcess;
  let client: ConversationClient;
  const key = newKey();

  beforeAll(async () => {
    roles = await makeTwoRoles();
    folder = await mkdtemp(join(tmpdir(), 'two-roles-'));
    await chmod(folder, 0o755);
    const { migrations } = await CliProcess.run(['migrate'], {
      ...env(),
      MIGRATION_DATABASE_URL: roles.ownerUrl,
    });
    expect(migrations).not.toEqual([]);
    service = ServiceProcess.start(env({ BOOTSTRAP_KEY: key, JOB_LEASE_SECONDS: '2' }));
    client = new ConversationClient({ url: await service.ready }, key);
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    await roles.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const env = (further: Readonly<Record<string, string>> = {}): Record<string, string> => ({
    DATABASE_URL: roles.serviceUrl,
    SECRET_KEY,
    DATA_DIR: join(folder, 'data'),
    ...further,
  });

  const countOf = async (rows: string): Promise<number> => {
    const [row] = await ask(roles.serviceUrl, `SELECT count(*)::int AS count FROM ${rows}`);
    return Number(row?.count);
  };

  /** Has the service record rows. */
  async function record(orgId: string | null, count: number): Promise<void> {
    const before = await countOf('audit_log');
    await ask(
      roles.serviceUrl,
      `INSERT INTO domain_events (org_id, kind, event)
       SELECT coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), 'audit.recorded', $2 FROM generate_series(1, $3)`,
      [orgId, JSON.stringify(recorded(orgId)), count],
    );
    await eventually(async () => expect(await countOf('domain_events WHERE position IS NULL')).toBe(0));
    expect(await countOf('audit_log')).toBeGreaterThanOrEqual(before + count);
  }

  it('has all of the service work, with its jobs, functions and triggers', async () => {
    const id = await client.ready({ title: 'Kept', initial_message: { role: 'user', ...saying('first') } });
    await client.texts(id, 'agent', 1);
    const body = saying('second');
    await client.call('POST', `/api/v1/conversations/${id}/pending-messages`, { body });
    await client.texts(id, 'agent', 2);
    const secret = { name: 'TOKEN', value: 'the value of a secret' };
    expect(await client.call('POST', '/api/v1/secrets', { body: secret })).toMatchObject({ status: 201 });
    expect(await client.call('POST', '/api/keys', { body: { name: 'another' } })).toMatchObject({
      status: 200,
    });
    const { sandbox_id: sandboxId } = await client.record(id);
    await client.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`);
    await eventually(async () => expect((await client.record(id)).sandbox_status).toBe('PAUSED'));
    const [org] = await ask(roles.serviceUrl, 'SELECT id FROM organizations');
    await record(String(org?.id), 3);
    // Every job that recurs, at once.
    await ask(
      roles.serviceUrl,
      `SELECT graphile_worker.add_job(task_identifier, job_key => key) FROM graphile_worker.jobs WHERE key LIKE 'every:%'`,
    );
    await eventually(async () => {
      expect(await countOf('audit_seals')).toBeGreaterThan(0);
    });
    await eventually(async () => {
      const left = await ask(
        roles.serviceUrl,
        `SELECT task_identifier FROM graphile_worker.jobs WHERE key LIKE 'every:%' AND run_at <= now()`,
      );
      expect(left).toEqual([]);
    });
    expect(service.output).not.toMatch(/permission denied|must be owner/);
    expect(
      await ask(roles.serviceUrl, 'SELECT last_error FROM graphile_worker.jobs WHERE last_error IS NOT NULL'),
    ).toEqual([]);
  });

  it('lets the service change secrets, and what keys its seals are by, and count anew', async () => {
    const other = 'the-new-secret-key-0123456789-abcdef';
    const changed = env({ SECRET_KEY: other, SECRET_KEYS_OLD: SECRET_KEY });
    expect(await runHere(['secrets:reencrypt'], changed)).toMatchObject({
      old_keys: [{ left: 0, can_go: true }],
    });
    await runHere(['audit:verify', '--format', 'json'], env({ SECRET_KEY: other }));
    const back = env({ SECRET_KEYS_OLD: other });
    expect(await runHere(['secrets:reencrypt'], back)).toMatchObject({
      old_keys: [{ left: 0, can_go: true }],
    });
    await runHere(['counters:rebuild'], env());
  });

  it.each([
    'UPDATE audit_log SET outcome = outcome',
    'UPDATE audit_seals SET removed_at = now()',
    'DELETE FROM audit_log',
    'DELETE FROM audit_seals',
    'TRUNCATE audit_log CASCADE',
    'TRUNCATE audit_seals',
    'TRUNCATE organizations CASCADE',
    'UPDATE audit_personal SET personal = personal',
    'DROP TABLE audit_log CASCADE',
    'ALTER TABLE audit_log DISABLE TRIGGER ALL',
    'ALTER TABLE audit_log RENAME TO other',
    'ALTER TABLE audit_log ALTER COLUMN entry DROP NOT NULL',
    'CREATE TRIGGER t BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    'CREATE RULE r AS ON INSERT TO audit_log DO INSTEAD NOTHING',
    'DROP FUNCTION audit_remove_spans(bigint[], integer)',
    'ALTER FUNCTION audit_remove_spans(bigint[], integer) RESET ALL',
    'DROP SCHEMA public CASCADE',
    'SET session_replication_role = replica',
    'INSERT INTO schema_migrations (timestamp, name) VALUES (1, $$x$$)',
  ])("refuses the service's role to %s", async (statement) => {
    await expect(ask(roles.serviceUrl, statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  it("refuses the service's role to become the owner", async () => {
    await expect(ask(roles.serviceUrl, `SET ROLE ${roles.owner}`)).rejects.toThrow(/permission denied/);
  });

  it("removes an organization's rows with it, and nothing else", async () => {
    const { org_id: orgId } = await runHere(
      ['org:create', '--name', 'Gone', '--owner-email', 'gone@example.com'],
      env(),
    );
    await record(String(orgId), 2);
    await record(null, 1);
    await ask(roles.serviceUrl, 'DELETE FROM organizations WHERE id = $1', [orgId]);
    const rows = await ask(roles.serviceUrl, 'SELECT 1 FROM audit_log WHERE org_id = $1', [orgId]);
    expect(rows).toEqual([]);
    expect(await runHere(['audit:verify', '--format', 'json'], env())).toMatchObject({ damaged: 0 });
  });

  it('is backed up by the one role, and restored by the other into another database, where the log is whole', async () => {
    const file = join(folder, 'backup.age');
    const { tables } = await runHere(['backup', '--to', file], env());
    const other = await roles.another();
    const restored = env({ DATABASE_URL: other.serviceUrl, DATA_DIR: join(folder, 'restored') });
    expect(
      await runHere(['restore', '--from', file], {
        ...restored,
        MIGRATION_DATABASE_URL: other.ownerUrl,
      }),
    ).toMatchObject({ tables });
    const verified = await runHere(['audit:verify', '--format', 'json'], restored);
    expect(verified).toMatchObject({ damaged: 0, chains: 2 });
    await expect(ask(other.serviceUrl, 'DELETE FROM audit_log')).rejects.toThrow('permission denied');
    const again = ServiceProcess.start({ ...restored, BOOTSTRAP_KEY: key });
    try {
      await new ConversationClient({ url: await again.ready }, key).call('GET', '/api/keys');
      const jobs = await ask(other.serviceUrl, 'SELECT 1 FROM graphile_worker.jobs LIMIT 1');
      expect(jobs).toHaveLength(1);
    } finally {
      await again.stop('SIGKILL');
    }
  });

  it('is not started by the one role where migrations have to run, and is by both', async () => {
    const other = await roles.another();
    const both = env({ DATABASE_URL: other.serviceUrl, MIGRATION_DATABASE_URL: other.ownerUrl });
    const one = env({ DATABASE_URL: other.serviceUrl });
    await runHere(['migrate'], both);
    expect(await runHere(['migrate'], one)).toEqual({ migrations: [] });
    await ask(other.ownerUrl, `DELETE FROM schema_migrations WHERE name LIKE 'NewPeople%'`);
    await ask(other.ownerUrl, 'DROP TABLE new_people');
    await expect(runHere(['migrate'], one)).rejects.toThrow(
      /^The schema of the database is older than this build, by 1 migrations, and the role of DATABASE_URL does not own it\. Run the command migrate with MIGRATION_DATABASE_URL/,
    );
    const found = async () =>
      (await examineInstallation(one)).filter(({ check }) => check === 'schema' || check === 'audit log');
    expect(await found()).toMatchObject([{ state: 'fail' }, { state: 'ok' }]);
    const { migrations } = await runHere(['migrate'], both);
    expect(migrations).toHaveLength(1);
    // What was made just now is there to be used.
    await ask(other.serviceUrl, 'DELETE FROM new_people');
    expect(await found()).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
  });

  it('is not started where the two roles lead to different databases', async () => {
    const other = await roles.another();
    await expect(runHere(['migrate'], env({ MIGRATION_DATABASE_URL: other.ownerUrl }))).rejects.toThrow(
      /^MIGRATION_DATABASE_URL and DATABASE_URL lead to different databases\./,
    );
  });

  it('is told by the doctor from one that the service owns, which works as well', async () => {
    const audit = async (settings: Readonly<Record<string, string>>) =>
      (await examineInstallation(settings)).filter(
        ({ check, state }) => check === 'audit log' || state === 'fail',
      );
    expect(await audit(env())).toMatchObject([{ check: 'audit log', state: 'ok' }]);
    const owned = await audit(env({ DATABASE_URL: roles.ownerUrl }));
    expect(owned).toMatchObject([
      {
        check: 'audit log',
        state: 'warn',
        change: expect.stringContaining('MIGRATION_DATABASE_URL') as string,
      },
    ]);
    expect(await audit(env({ DATABASE_URL: roles.ownerUrl, AUDIT_LOG: 'off' }))).toEqual([]);
  });
});
