import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { runCommand } from '../../../src/operations/cli/command-line';
import { type Reencrypted, SEALED_COLUMNS } from '../../../src/operations/cli/reencrypt-secrets';
import { AuditSeals } from '../../../src/accounts/audit-log/seals/audit-seals';
import { SecretBox } from '../../../src/kernel/common';
import { readSettings } from '../../../src/kernel/config';
import { createDataSource } from '../../../src/kernel/database';
import { JobHandlers } from '../../../src/kernel/jobs';
import { InvitationTokens } from '../../../src/accounts/invitations/record/invitation-tokens';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { makeMember, makeOrg } from '../../support/service/factories';

const OLD = 'short';
const OLDER = 'shorter';
const LOST = 'lost';
const NEW = 'the-new-secret-key-0123456789-abcdef';
const NO_INVITATIONS = { invitations: 0, invitations_until: null };
/** More than one portion. */
const MANY = 1_203;

describe('secrets:reencrypt', () => {
  let database: TestDatabase;
  let db: DataSource;
  let dataDir: string;
  let orgId: string;
  let userId: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'reencrypt-'));
    database = await createTestDatabase();
    db = await createDataSource(database.url, 2).initialize();
    orgId = (await makeOrg(db)).id;
    userId = (await makeMember(db, orgId)).id;
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  const run = async (): Promise<Reencrypted> =>
    JSON.parse(
      await runCommand(['secrets:reencrypt'], {
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        SECRET_KEY: NEW,
        SECRET_KEYS_OLD: `${OLD},${OLDER}`,
      }),
    ) as Reencrypted;

  async function seal(key: string, count: number): Promise<void> {
    const box = new SecretBox([key]);
    const rows = Array.from({ length: count }, () => {
      const id = randomUUID();
      return { id, sealed: box.seal(`key of ${id}`, `sandbox:${id}`) };
    });
    await db.query(
      `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, sealed_session_key, last_activity_at)
       SELECT id, $2, $3, 'external', 'PAUSED', sealed, now()
         FROM jsonb_to_recordset($1::jsonb) AS new (id uuid, sealed text)`,
      [JSON.stringify(rows), orgId, userId],
    );
  }

  async function sealSecrets(key: string): Promise<string> {
    const [conversation, task] = [randomUUID(), randomUUID()];
    await db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state) VALUES ($1, $2, $3, $1, 'starting')`,
      [conversation, orgId, userId],
    );
    await db.query(
      `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request,
                                sealed_secrets, deadline_at)
       VALUES ($1, $2, $3, $4, $4, 'WORKING', '{}', $5, now())`,
      [task, orgId, userId, conversation, new SecretBox([key]).seal('{"A":"b"}', `start-task:${task}`)],
    );
    return task;
  }

  it('knows every column of the database that is sealed', async () => {
    const columns = await db.query<{ name: string }[]>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name LIKE '%sealed%' AND data_type = 'text' ORDER BY 1`,
    );
    const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(columns.map(({ name }) => name)).toEqual([...known, 'secret_check.sealed'].sort());
  });

  it('moves all to the current key, and says what is left of each old one', async () => {
    await seal(OLD, MANY);
    await seal(LOST, 2);
    const task = await sealSecrets(OLDER);
    const inviting = new SecretBox([OLDER]);
    await invite(inviting);
    const lostKey = new SecretBox([LOST]).currentKeyId;

    const response = await run();
    expect(response).toEqual({
      moved: MANY + 1,
      current_key: new SecretBox([NEW]).currentKeyId,
      old_keys: [
        { key: new SecretBox([OLD]).currentKeyId, place: 1, left: 0, ...NO_INVITATIONS, can_go: true },
        {
          key: inviting.currentKeyId,
          place: 2,
          left: 0,
          invitations: 1,
          invitations_until: expect.stringMatching(/^20\d\d-/) as string,
          can_go: false,
        },
        { key: lostKey, place: null, left: 2, ...NO_INVITATIONS, can_go: false },
      ],
    });
    const box = new SecretBox([NEW]);
    const sandboxes = await db.query<{ id: string; sealed: string }[]>(
      `SELECT id, sealed_session_key AS sealed FROM sandboxes WHERE sealed_session_key NOT LIKE $1 || '.%'`,
      [lostKey],
    );
    expect(sandboxes).toHaveLength(MANY);
    for (const { id, sealed } of sandboxes) expect(box.open(sealed, `sandbox:${id}`)).toBe(`key of ${id}`);
    const [{ sealed }] = await db.query<[{ sealed: string }]>(
      'SELECT sealed_secrets AS sealed FROM start_tasks WHERE id = $1',
      [task],
    );
    expect(box.open(sealed, `start-task:${task}`)).toBe('{"A":"b"}');

    expect((await run()).moved).toBe(0);
  });

  it('gives seals of the audit log a mac by the current key, but for those that do not fit theirs', async () => {
    await db.query(
      `INSERT INTO audit_log (position, id, at, actor_kind, action, outcome, entry, hash)
       SELECT n, gen_random_uuid(), now(), 'system', 'a', 'success', '{}', sha256('') FROM generate_series(1, 2) n`,
    );
    const box = new SecretBox([OLD]);
    await new AuditSeals(db, box, new JobHandlers()).sealAll();
    const old_keys = (left: number) =>
      expect.arrayContaining([
        expect.objectContaining({ key: box.currentKeyId, left, can_go: left === 0 }),
      ]) as object;
    expect(await run()).toMatchObject({ moved: 1, old_keys: old_keys(0) });
    await db.query('UPDATE audit_seals SET key_id = $1', [box.currentKeyId]);
    expect(await run()).toMatchObject({ moved: 0, old_keys: old_keys(1) });
  });

  async function invite(box: SecretBox): Promise<void> {
    const tokens = new InvitationTokens(box, readSettings({}));
    await db.query(
      `INSERT INTO invitations (id, org_id, email, role, generation, token_digest, inviter_user_id, expires_at,
                                  mail_status)
         VALUES (1, $1, 'a@example.com', 'member', 1, $2, $3, now() + interval '7 days', 'none')`,
      [orgId, tokens.issue(1, 1).digest, userId],
    );
  }
});
