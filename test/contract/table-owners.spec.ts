import { importedNames, type SourceFile, sourceFiles, textsOf } from '../support/source-files';

/**
 * Which module each table belongs to. It alone writes the table; other modules read it in files named
 * `*.read-model.ts` only. Migrations are exempt, and so are the database's own functions and triggers.
 */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  'api-keys': ['api_keys'],
  conversations: [
    'conversation_count_deltas',
    'conversation_counts',
    'conversation_removals',
    'conversation_usage',
    'conversations',
    'sandbox_counts',
    'start_tasks',
  ],
  database: ['schema_compatibility', 'schema_migrations', 'secret_check', 'write_check'],
  events: ['event_bytes', 'event_logs', 'events'],
  idempotency: ['idempotency_keys'],
  invitations: ['invitation_calls', 'invitation_codes', 'invitations'],
  jobs: ['graphile_worker', 'worker_heartbeats'],
  orgs: [
    'org_app_settings',
    'org_members',
    'organizations',
    'user_app_settings',
    'user_org_app_settings',
    'users',
  ],
  'pending-messages': ['message_bytes', 'message_queues', 'pending_messages'],
  'request-limits': ['request_counts'],
  sandboxes: ['sandbox_hosts', 'sandbox_leftovers', 'sandboxes'],
};

/** Created by libraries: the record of migrations, and the schema of the job queue. */
const CREATED_BY_LIBRARIES = ['graphile_worker', 'schema_migrations'];

const OWNER_OF = new Map(
  Object.entries(OWNERS).flatMap(([module, tables]) => tables.map((table) => [table, module] as const)),
);
const TABLES = `\\b(${[...OWNER_OF.keys()].join('|')})\\b`;
const WRITES = new RegExp(
  `\\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?)(?: ONLY)?\\s+${TABLES}`,
  'g',
);
/** A row lock counts as a read: it changes nothing. */
const READS = new RegExp(`\\b(?:FROM|JOIN|USING)(?: ONLY)?\\s+${TABLES}`, 'g');
/** The second table of `FROM a x, b y`, and a part of a statement that begins with a table and its alias. */
const FURTHER_READS = new RegExp(`(?:\\bFROM\\s+\\w+(?: \\w+)?,\\s*|^)${TABLES}(?= [a-z]\\b)`, 'g');

const files = sourceFiles();
const audited = files.filter(({ path }) => !path.startsWith('database/migrations/'));

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

function tablesIn(texts: readonly string[], ...patterns: readonly RegExp[]): string[] {
  return texts.flatMap((text) =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, table = '']) => table)),
  );
}

/** What a file does that only the owner of a table, or a read model, may do. */
function violationsOf(file: SourceFile): string[] {
  const isForeign = (table: string): boolean => OWNER_OF.get(table) !== file.module;
  const isReadModel = file.path.endsWith('.read-model.ts');
  const texts = textsOf(file);
  const written = tablesIn(texts, WRITES).filter((table) => isReadModel || isForeign(table));
  const read = tablesIn(texts, READS, FURTHER_READS).filter((table) => !isReadModel && isForeign(table));
  const imported = importedNames(file).flatMap(({ name, module }) => {
    const table = TABLE_OF_ENTITY.get(name);
    return table !== undefined && module === OWNER_OF.get(table) && isForeign(table) ? [table] : [];
  });
  return [
    ...written.map((table) => `${file.path} writes ${table}`),
    ...read.map((table) => `${file.path} reads ${table}`),
    ...imported.map((table) => `${file.path} uses the entity of ${table}`),
  ];
}

/** A file of the given text, to check the check itself. */
function sample(path: string, statement: string): SourceFile {
  const [module = ''] = path.split('/');
  return { path, module, text: `run(\`${statement}\`);` };
}

describe('who owns a table', () => {
  it('is known for every table that the migrations create', () => {
    const created = files
      .filter(({ path }) => path.startsWith('database/migrations/'))
      .flatMap(({ text }) => [...text.matchAll(/CREATE TABLE (\w+) \(/g)].map(([, table = '']) => table));
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
    ['a removal', 'DELETE FROM users', 'reads users'],
    ['a truncation', 'TRUNCATE users', 'writes users'],
    ['a read', 'SELECT 1 FROM users', 'reads users'],
    ['a join', 'SELECT 1 FROM api_keys k LEFT JOIN users u ON true', 'reads users'],
    ['the second table of a list', 'SELECT 1 FROM api_keys k, users u', 'reads users'],
    ['a part of a statement', 'users u${rest}', 'reads users'],
  ])('is asked for %s', (_, statement, violation) => {
    expect(violationsOf(sample('api-keys/sample.ts', statement))).toContain(
      `api-keys/sample.ts ${violation}`,
    );
    expect(violationsOf(sample('orgs/sample.ts', statement)).join()).not.toContain('users');
  });

  it('lets read models read, and not write', () => {
    const path = 'api-keys/sample.read-model.ts';
    expect(violationsOf(sample(path, 'SELECT 1 FROM users u JOIN org_members m ON true'))).toEqual([]);
    expect(violationsOf(sample(path, 'UPDATE api_keys SET name = $1'))).toEqual([`${path} writes api_keys`]);
  });
});
