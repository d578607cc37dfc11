import { ask } from '../support/database/ask';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres';

const OWNER = 'never changes; the row is of the organization, or says who did it';
const TIME = 'when it was made or changed, which the row says';

/** Columns of tables whose changes rows of the audit log have, which they do not have, and why. */
const NOT_NOTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  organizations: { created_at: TIME, ending_at: 'the call says it', ending_by_user_id: OWNER },
  users: { created_at: TIME, erased_at: TIME },
  org_members: { org_id: OWNER, created_at: TIME },
  org_roles: { org_id: OWNER, created_at: TIME, updated_at: TIME },
  org_credential_rules: { updated_at: TIME },
  api_keys: { digest: 'finds the key', created_at: TIME, last_used_at: 'changes with each use' },
  browser_sessions: {
    digest: 'finds the session',
    user_agent: 'personal; the row has that of the call',
    created_at: TIME,
    last_used_at: 'changes with each use',
    credential_expires_at: 'that of what was sent',
    provider_sid: 'a secret of the provider',
    authenticated_at: TIME,
  },
  service_accounts: { org_id: OWNER, created_at: TIME },
  invitations: {
    org_id: OWNER,
    token_digest: 'finds the invitation',
    inviter_user_id: OWNER,
    created_at: TIME,
    accepted_at: 'the status says it',
    mail_status: 'what became of the mail',
    mail_detail: 'what became of the mail',
  },
  identity_providers: { org_id: OWNER, created_at: TIME, updated_at: TIME },
  identity_domains: { org_id: OWNER, token: 'proves the domain', created_at: TIME },
  user_identities: {
    subject: 'personal',
    created_at: TIME,
    claims_issued_at: 'changes with each sign-in',
    signed_out_at: 'changes with each sign-out',
    bound_by_user_id: OWNER,
  },
  scim_tokens: {
    org_id: OWNER,
    digest: 'finds the token',
    created_at: TIME,
    last_used_at: 'changes with each use',
  },
  scim_users: { org_id: OWNER, version: 'counts changes', created_at: TIME, updated_at: TIME },
  scim_groups: { org_id: OWNER, version: 'counts changes', created_at: TIME, updated_at: TIME },
  scim_group_members: { org_id: OWNER },
  agent_profiles: { revision: 'counts changes' },
  provider_connections: { org_id: OWNER },
  user_secrets: { user_id: OWNER },
  org_app_settings: { updated_at: TIME },
  user_app_settings: { updated_at: TIME },
  user_org_app_settings: { updated_at: TIME },
  model_policies: { updated_at: TIME },
  org_retention: { updated_at: TIME },
  legal_holds: { org_id: OWNER, created_by_user_id: OWNER, created_at: TIME, lifted_by_user_id: OWNER },
  budgets: { org_id: OWNER, created_by_user_id: OWNER, created_at: TIME, updated_at: TIME },
  webhooks: {
    org_id: OWNER,
    disabled_at: TIME,
    sealed_previous_secret: 'the secret before, which is noted as such',
    previous_secret_until: TIME,
    failing_since: 'what became of deliveries',
    created_by_user_id: OWNER,
    created_at: TIME,
    updated_at: TIME,
    probe_at: 'when it is tried again',
  },
};

/** What is secret or personal: of these a row says no more than that they were changed. */
const HIDDEN = /^sealed_|digest|token$|password|secret$|email$|^subject$|sid$|user_agent/;

/** Named as what is, and no such thing. */
const NEITHER: ReadonlySet<string> = new Set(['budgets.subject']);

const TRIGGERS = `
  SELECT c.relname AS "table", encode(t.tgargs, 'escape') AS arguments,
         (SELECT string_agg(a.attname, ' ') FROM pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE t.tgname = 'audit_noted'`;

interface NotedTable {
  readonly table: string;
  /** The column with the id. */
  readonly id: string;
  /** As the trigger has them: `-` before what is only said to be changed, `=` where it is a user’s, `~` before addresses. */
  readonly noted: readonly string[];
  readonly columns: readonly string[];
}

let database: TestDatabase;
let tables: readonly NotedTable[];
beforeAll(async () => {
  database = await createTestDatabase();
  tables = (await ask(database.url, TRIGGERS)).map((row) => {
    const [id = '', noted = ''] = String(row['arguments']).split('\\000');
    return {
      table: String(row['table']),
      id,
      noted: noted.split(','),
      columns: String(row['columns']).split(' '),
    };
  });
});
afterAll(() => database.drop());

const plain = (noted: string): string => noted.replace(/^[-=~]+/, '');

it('every column of a table that is noted for the audit log is noted, or is left out for a reason', () => {
  const left = tables.map(({ table, id, noted, columns }) => {
    const names = [id, ...noted.map(plain)];
    return [table, columns.filter((column) => !names.includes(column)).sort()] as const;
  });
  const reasons = tables.map(({ table }) => [table, Object.keys(NOT_NOTED[table] ?? {}).sort()] as const);
  expect(Object.fromEntries(left)).toEqual(Object.fromEntries(reasons));
  for (const { table, noted, columns } of tables)
    expect([table, noted.map(plain).filter((name) => !columns.includes(name))]).toEqual([table, []]);
});

it('what is secret or personal is in no row', () => {
  const shown = tables.flatMap(({ table, noted }) =>
    noted
      .filter((name) => !name.startsWith('-') && HIDDEN.test(plain(name)))
      .map((name) => `${table}.${name}`)
      .filter((name) => !NEITHER.has(name)),
  );
  expect(shown).toEqual([]);
});

it.each([
  [
    [{ source: 'https://ghp_token@git.example.com/a.git', note: '"://\\' }],
    [{ source: 'https://git.example.com/a.git', note: '"://\\' }],
  ],
  ['ssh://git:a"b\\@git.example.com/a@b', 'ssh://git:a"b\\@git.example.com/a@b'],
  [
    { a: 'ssh://git:x\\y@git.example.com', b: 'me@example.com' },
    { a: 'ssh://git.example.com', b: 'me@example.com' },
  ],
  [null, null],
])('what stands before the host of an address is in no row: %j', async (value, shown) => {
  const rows = await ask(database.url, 'SELECT audit_value($1::jsonb, false) AS value', [
    JSON.stringify(value),
  ]);
  expect(rows).toEqual([{ value: shown }]);
});
