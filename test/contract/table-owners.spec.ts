import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { importedNames, type SourceFile, sourceFiles, textsOf, moduleAt } from '../support/source-files';

/**
 * Which module each table belongs to. It alone writes the table; other modules read it in files named
 * `*.read-model.ts` only. Migrations are exempt, and so are the database's own functions and triggers.
 */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  'audit-log': ['audit_log', 'audit_personal', 'audit_seals'],
  'agent-settings': ['agent_profiles', 'agent_settings', 'llm_profiles', 'provider_connections'],
  'app-settings': ['org_app_settings', 'user_app_settings', 'user_org_app_settings'],
  budgets: ['budget_deltas', 'budget_spending', 'budgets', 'model_call_processes', 'model_calls'],
  'api-keys': ['api_keys', 'browser_sessions', 'ended_keys'],
  conversations: [
    'awaited_deletions',
    'conversation_completed_counts',
    'conversation_completed_deltas',
    'conversation_count_deltas',
    'conversation_counts',
    'conversation_removals',
    'conversation_sandbox_changes',
    'conversation_sandbox_counts',
    'conversation_sandbox_statuses',
    'conversation_usage',
    'conversation_usage_removed',
    'conversations',
    'sandbox_counts',
    'start_tasks',
    'usage_by_day',
    'usage_by_month',
    'usage_deltas',
    'usage_of_users',
  ],
  database: ['schema_compatibility', 'schema_migrations', 'secret_check', 'write_check'],
  'device-login': ['device_code_tries', 'device_logins'],
  'domain-events': ['domain_events', 'domain_events_gone'],
  'event-streams': ['stream_tickets'],
  events: ['event_bytes', 'event_logs', 'events'],
  'git-credentials': ['git_credentials'],
  idempotency: ['idempotency_keys'],
  'identity-providers': [
    'ended_identities',
    'identity_domains',
    'identity_providers',
    'new_people',
    'spent_tokens',
    'user_identities',
  ],
  invitations: ['invitation_calls', 'invitation_codes', 'invitations'],
  'legal-holds': ['legal_holds'],
  'model-policy': ['model_policies', 'model_refusals'],
  jobs: ['graphile_worker', 'worker_heartbeats'],
  orgs: ['org_credential_rules', 'org_members', 'org_roles', 'organizations', 'users'],
  'pending-messages': ['message_bytes', 'message_queues', 'pending_messages'],
  persons: ['erasures'],
  'request-limits': ['request_counts'],
  retention: ['org_retention', 'retention_announcements', 'retention_runs'],
  sandboxes: ['sandbox_hosts', 'sandbox_installation', 'sandbox_kept_logs', 'sandbox_leftovers', 'sandboxes'],
  scim: ['scim_group_members', 'scim_groups', 'scim_tokens', 'scim_users'],
  secrets: ['user_secrets'],
  'service-accounts': ['service_accounts'],
  'sign-in': ['sign_in_proofs'],
  webhooks: ['webhook_attempts', 'webhook_deliveries', 'webhook_lanes', 'webhooks'],
};

/** Created by libraries: the record of migrations, and the schema of the job queue. */
const CREATED_BY_LIBRARIES = ['graphile_worker', 'schema_migrations'];

const OWNER_OF = new Map(
  Object.entries(OWNERS).flatMap(([module, tables]) => tables.map((table) => [table, module] as const)),
);
const TABLES = `(${[...OWNER_OF.keys()].join('|')})\\b`;
/** What writes a table. A lock of a whole table counts: it stops the owner. */
const WRITES =
  /\b(?:INSERT INTO|MERGE INTO|UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?|LOCK(?: TABLE)?)(?: ONLY)?\s+/g;
/** What reads a table. A row lock counts as a read: it changes nothing. */
const READS = /\b(?:FROM|JOIN|USING)\s+/g;
/** Where the tables of a list end. */
const NEXT_CLAUSE =
  /\b(?:WHERE|GROUP|ORDER|LIMIT|OFFSET|UNION|EXCEPT|INTERSECT|HAVING|RETURNING|FOR|SET|VALUES|ON|IN)\b|;/;
const TABLE = new RegExp(`^\\s*(?:LATERAL |ONLY )?${TABLES}`);
/** A part of a statement that begins with a table and its alias. */
const PART = new RegExp(`^${TABLES}(?= [a-z]\\b)`);
/** A statement that writes whatever table it is given. */
const WRITES_ANY = /\b(?:INSERT INTO|MERGE INTO|UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?)(?: ONLY)?\s+…/;

/** Who may write a table they are given, and why. */
const WRITERS_OF_ANY: Readonly<Record<string, string>> = {
  'kernel/database/sql/sealed-column.ts':
    'seals texts anew in the columns that their owners declare as a `SealedColumn`',
  'kernel/database/copies/copy-in.ts': 'restores the rows of all tables into a database that has none',
};

const files = sourceFiles();
const audited = files.filter(({ path }) => !path.startsWith('kernel/database/migrations/'));

/** The tables of entity classes. */
const TABLE_OF_ENTITY = new Map(
  files
    .filter(({ path }) => path.endsWith('.entity.ts'))
    .flatMap(({ text }) =>
      [...text.matchAll(/@Entity\('(\w+)'[^]*?export class (\w+)/g)].map(
        ([, table = '', entity = '']) => [entity, table] as const,
      ),
    ),
);

/** A text without quotes and schema, and each of its brackets as a text of its own. */
function flatParts(text: string): string[] {
  const parts: string[] = [];
  let rest = text.replaceAll('"', '').replaceAll(/\bpublic\./g, '');
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/\(([^()]*)\)/g, (_, inner: string) => {
      parts.push(inner);
      return '…';
    });
  }
  return [...parts, rest];
}

/** The tables of the comma list after each match of a pattern. */
function listedAfter(pattern: RegExp, part: string): string[] {
  return [...part.matchAll(pattern)].flatMap((start) => {
    const [list = ''] = part.slice(start.index + start[0].length).split(NEXT_CLAUSE);
    return list.split(',').flatMap((item) => TABLE.exec(item)?.[1] ?? []);
  });
}

/** Methods of TypeORM that take a table, or an entity, by its name. */
const TYPEORM_READS =
  /^(?:addFrom|from|\w*Join\w*|getRepository|createQueryBuilder|find\w*|count\w*|exists\w*)$/;
const TYPEORM_WRITES = /^(?:into|insert|update|upsert|delete|softDelete|save|remove|increment|decrement)$/;

interface NamedTable {
  readonly table: string;
  readonly isWritten: boolean;
}

/** The tables that calls of TypeORM name in a string. */
function namedToTypeOrm({ path, text }: SourceFile): NamedTable[] {
  const named: NamedTable[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const method = node.expression.name.text;
      const isWritten = TYPEORM_WRITES.test(method) || node.expression.getText(source).includes('.delete()');
      const [first] = node.arguments;
      if (first !== undefined && ts.isStringLiteralLike(first) && (isWritten || TYPEORM_READS.test(method))) {
        const table = TABLE_OF_ENTITY.get(first.text) ?? first.text;
        if (OWNER_OF.has(table)) named.push({ table, isWritten });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return named;
}

/** What a file does that only the owner of a table, or a read model, may do. */
function violationsOf(file: SourceFile): string[] {
  const isForeign = (table: string): boolean => OWNER_OF.get(table) !== file.module;
  const isReadModel = file.path.endsWith('.read-model.ts');
  const texts = textsOf(file);
  const parts = texts.flatMap(flatParts);
  const named = namedToTypeOrm(file);
  const tablesOf = (isWritten: boolean): string[] =>
    named.filter((one) => one.isWritten === isWritten).map(({ table }) => table);
  const written = [...parts.flatMap((part) => listedAfter(WRITES, part)), ...tablesOf(true)];
  const read = [
    ...parts.flatMap((part) => [...listedAfter(READS, part), ...(PART.exec(part)?.slice(1) ?? [])]),
    ...tablesOf(false),
  ];
  const imported = importedNames(file).flatMap(({ name, module }) => {
    const table = TABLE_OF_ENTITY.get(name);
    return table !== undefined && module === OWNER_OF.get(table) && isForeign(table) ? [table] : [];
  });
  const writesAny = texts.some((text) => WRITES_ANY.test(text)) && !(file.path in WRITERS_OF_ANY);
  return [
    ...written
      .filter((table) => isReadModel || isForeign(table))
      .map((table) => `${file.path} writes ${table}`),
    ...read.filter((table) => !isReadModel && isForeign(table)).map((table) => `${file.path} reads ${table}`),
    ...imported.map((table) => `${file.path} uses the entity of ${table}`),
    ...(writesAny ? [`${file.path} writes any table`] : []),
  ];
}

/** Those of TypeScript, and those of the baseline. */
function statementsOfMigrations(): string[] {
  const baseline = join(__dirname, '..', '..', 'src', 'kernel', 'database', 'baseline');
  return [
    ...files.filter(({ path }) => path.startsWith('kernel/database/migrations/')).map(({ text }) => text),
    ...readdirSync(baseline).map((name) => readFileSync(join(baseline, name), 'utf8')),
  ];
}

/** A file of the given text, to check the check itself. */
function sampleCode(path: string, text: string): SourceFile {
  return { path, module: moduleAt(path), text };
}

function sample(path: string, statement: string): SourceFile {
  return sampleCode(path, `run(\`${statement}\`);`);
}

describe('who owns a table', () => {
  it('is known for every table that the migrations create', () => {
    const created = statementsOfMigrations().flatMap((text) =>
      [...text.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+) \(/g)].map(([, table = '']) => table),
    );
    expect([...OWNER_OF.keys()].sort()).toEqual([...created, ...CREATED_BY_LIBRARIES].sort());
  });

  it('is the module of its entity', () => {
    const misplaced = files
      .filter(({ path }) => path.endsWith('.entity.ts'))
      .flatMap(({ module, text }) =>
        [...text.matchAll(/@Entity\('(\w+)'/g)]
          .filter(([, table = '']) => OWNER_OF.get(table) !== module)
          .map(([, table]) => `${table} in ${module}`),
      );
    expect(misplaced).toEqual([]);
  });

  it('is the only module that writes it, and the only one that reads it outside of read models', () => {
    expect([...new Set(audited.flatMap(violationsOf))]).toEqual([]);
  });

  it.each([
    ['an insert', 'INSERT INTO users (id) VALUES ($1)', 'writes users'],
    ['an update below a WITH', 'WITH a AS (SELECT 1) UPDATE users u SET name = $1', 'writes users'],
    ['a removal', 'DELETE FROM users', 'writes users'],
    ['a merge', 'MERGE INTO users u USING api_keys k ON true WHEN MATCHED THEN DELETE', 'writes users'],
    ['a lock of the table', 'LOCK TABLE users IN SHARE MODE', 'writes users'],
    ['the second of a truncation', 'TRUNCATE api_keys, users', 'writes users'],
    ['a truncation', 'TRUNCATE users', 'writes users'],
    ['a read', 'SELECT 1 FROM users', 'reads users'],
    ['a join', 'SELECT 1 FROM api_keys k LEFT JOIN users u ON true', 'reads users'],
    ['the second table of a list', 'SELECT 1 FROM api_keys k, users u', 'reads users'],
    ['the third table of a list', 'SELECT 1 FROM api_keys k, api_keys l, users u', 'reads users'],
    ['a table after a sub-select', 'SELECT 1 FROM (SELECT max(id) FROM api_keys) k, users', 'reads users'],
    [
      'a sub-select',
      'SELECT (SELECT name FROM users u WHERE u.id = k.user_id) FROM api_keys k',
      'reads users',
    ],
    ['a removal by another table', 'DELETE FROM api_keys k USING users u', 'reads users'],
    ['a quoted name', 'SELECT 1 FROM "users" u', 'reads users'],
    ['a name with its schema', 'UPDATE public.users SET name = $1', 'writes users'],
    ['a quoted name with its schema', 'INSERT INTO "public"."users" DEFAULT VALUES', 'writes users'],
    ['a part of a statement', 'users u${rest}', 'reads users'],
  ])('is asked for %s', (_, statement, violation) => {
    expect(violationsOf(sample('accounts/api-keys/sample.ts', statement))).toContain(
      `accounts/api-keys/sample.ts ${violation}`,
    );
    expect(violationsOf(sample('accounts/orgs/sample.ts', statement)).join()).not.toContain('users');
  });

  it.each([
    [`manager.createQueryBuilder().select('u.id').from('users', 'u')`, 'reads users'],
    [`keys.createQueryBuilder('k').leftJoin('User', 'u')`, 'reads users'],
    [`manager.getRepository('User')`, 'reads users'],
    [`manager.createQueryBuilder().insert().into('users')`, 'writes users'],
    [`manager.update('User', { id }, { name })`, 'writes users'],
    [`manager.createQueryBuilder().delete().from('users')`, 'writes users'],
  ])('is asked for %s', (code, violation) => {
    expect(violationsOf(sampleCode('accounts/api-keys/sample.ts', code))).toEqual([
      `accounts/api-keys/sample.ts ${violation}`,
    ]);
    expect(violationsOf(sampleCode('accounts/orgs/sample.ts', code))).toEqual([]);
  });

  it('is asked for a table that a statement is given', () => {
    const path = 'kernel/database/sample.ts';
    expect(violationsOf(sample(path, 'UPDATE ${table} SET name = $1'))).toEqual([`${path} writes any table`]);
    expect(violationsOf(sample(path, 'SELECT 1 FROM ${table} FOR UPDATE'))).toEqual([]);
  });

  it('is the module that declares a sealed column of it', () => {
    const declared = files.flatMap(({ module, text }) =>
      [...text.matchAll(/: SealedColumn = \{\s*table: '(\w+)'/g)].map(([, table = '']) => ({
        module,
        table,
      })),
    );
    expect(declared.length).toBeGreaterThan(1);
    for (const { module, table } of declared) expect(OWNER_OF.get(table)).toBe(module);
  });

  it('lets read models read, and not write', () => {
    const path = 'accounts/api-keys/sample.read-model.ts';
    expect(violationsOf(sample(path, 'SELECT 1 FROM users u JOIN org_members m ON true'))).toEqual([]);
    expect(violationsOf(sample(path, 'UPDATE api_keys SET name = $1'))).toEqual([`${path} writes api_keys`]);
  });
});
