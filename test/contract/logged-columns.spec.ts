import { ask } from '../support/database/ask';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres';

/** Columns of tables whose changes triggers log, of which no event tells, and why. */
const NOT_LOGGED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  conversations: {
    created_by_user_id: 'never changes; conversation.created has it',
    parent_conversation_id: 'never changes; conversation.created has it',
    own_sandbox: 'no caller sees it',
    metered: 'no caller sees it',
    beyond_reports: 'no caller sees it',
    created_at: 'never changes',
    updated_at: 'changes with what is logged, and with events, which are logged themselves',
    deleted_at: 'conversation.deleted says it',
    expired_at: 'of deleted ones, which no caller sees',
    emptied_at: 'of deleted ones, which no caller sees',
    reported_title: 'no caller sees it; the title that comes of it is logged',
    forwarded_title: 'no caller sees it',
    sort_title: 'kept by a trigger from a column that is logged',
    sort_model: 'kept by a trigger from a column that is logged',
    started_repository: 'kept by a trigger from a column that is logged',
  },
  events: { payload: 'events have ids; what they say is read by them' },
  pending_messages: {
    rank: 'the place in the queue is no step of a message',
    is_initial: 'never changes, and no caller sees it',
    role: 'never changes',
    content: 'what a user writes is in no event',
    run: 'never changes, and no caller sees it',
    attempts: 'an attempt is no step of a message',
    mark_event_id: 'no caller sees it',
    delivered_at: 'the event is logged at that time',
    failed_at: 'the event is logged at that time',
    created_at: 'the event is logged at that time',
    mode: 'how it is to be delivered is no step of a message',
    stopped: 'no caller sees it; conversation.stopped says why',
    org_id: 'never changes; every event names the organization',
  },
};

/** Of each trigger that logs: its table, when it fires, what its function does, and the columns of the table. */
const LOGGING_TRIGGERS = `
  SELECT c.relname AS "table", pg_get_triggerdef(t.oid) AS condition, p.prosrc AS source,
         (SELECT string_agg(a.attname, ' ') FROM pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
   WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND p.prosrc ~ 'INSERT INTO domain_events\\M'`;

interface LoggingTrigger {
  readonly table: string;
  readonly condition: string;
  readonly source: string;
  readonly columns: readonly string[];
}

async function loggingTriggers(url: string): Promise<LoggingTrigger[]> {
  return (await ask(url, LOGGING_TRIGGERS)).map((row) => ({
    table: String(row['table']),
    condition: String(row['condition']),
    source: String(row['source']),
    columns: String(row['columns']).split(' ').sort(),
  }));
}

/** The columns of the changed row that a text names, as `NEW` or as `e` of all that were added. */
function namedIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\b(?:NEW|e)\.(\w+)/gi)].map(([, column = '']) => column));
}

/** The columns that a text compares with what they were before. */
function comparedIn(text: string): string[] {
  const comparisons = text.matchAll(/\bOLD\.(\w+) IS DISTINCT FROM NEW\.\1\b/gi);
  return [...new Set([...comparisons].map(([, column = '']) => column))].sort();
}

describe('the triggers that log domain events', () => {
  let database: TestDatabase;
  let triggers: readonly LoggingTrigger[];

  beforeAll(async () => {
    database = await createTestDatabase();
    triggers = await loggingTriggers(database.url);
  });
  afterAll(() => database.drop());

  it('name every column of their tables, but for those that no event tells of for a reason', () => {
    const left = triggers.map(({ table, source, columns }) => {
      const named = namedIn(source);
      return [table, columns.filter((column) => !named.has(column))] as const;
    });
    const reasons = Object.entries(NOT_LOGGED).map(([table, columns]) => [
      table,
      Object.keys(columns).sort(),
    ]);
    expect(Object.fromEntries(left)).toEqual(Object.fromEntries(reasons));
  });

  it('are called for a change of every column that their functions compare, and of no other', () => {
    for (const { condition, source } of triggers) expect(comparedIn(condition)).toEqual(comparedIn(source));
  });
});
