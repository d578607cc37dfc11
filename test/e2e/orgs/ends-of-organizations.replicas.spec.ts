import { readdir, readFile, mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { CliProcess, runHere } from '../../support/backup/cli-process';
import { ask } from '../../support/database/ask';
import { everyRow, rowsWith } from '../../support/database/every-row';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { rounds } from '../../support/rounds';
import { saying } from '../../support/queue/queued-messages';
import { ConversationClient } from '../../support/service/conversation-client';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { ServiceProcess } from '../../support/service/service-process';

const NAME = 'Quokka and sons';
const SAID = 'what a quokka said';
const OTHERS_SAID = 'what the others said';

/** What holds up the end of an organization in one of its steps, until it is released; the first one is tried also in a short run. */
const STEPS = {
  'while its sandboxes end': 'SELECT FROM sandboxes WHERE org_id = $1 FOR UPDATE',
  'while the organization itself goes': 'SELECT FROM invitation_calls WHERE org_id = $1 FOR KEY SHARE',
  'while its rows go': 'SELECT FROM conversations WHERE org_id = $1 FOR KEY SHARE',
  'before it is shut': 'SELECT FROM organizations WHERE id = $1 FOR SHARE',
} as const;

let database: TestDatabase;
let db: DataSource;
let folder: string;
let env: Record<string, string>;
let service: ServiceProcess;
let url: string;
/** Wherever it is after it was started again. */
const server = {
  get url(): string {
    return url;
  },
};
/** Whose conversation is there all the time. */
let others: Made;
let othersSandbox: string;
/** What named the organizations that are gone. */
const gone: string[] = [];

async function launch(): Promise<void> {
  service = ServiceProcess.start(env);
  url = await service.ready;
}

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'ends-of-organizations-'));
  // Sandboxes run as users of their own when the tests run as root.
  await chmod(folder, 0o755);
  env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    SECRET_KEY: 'a-secret-key-of-tests-0123456789',
    JOB_LEASE_SECONDS: '2',
    SANDBOX_ISOLATION: 'none',
  };
  db = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  await launch();
  others = await organization('The others');
  othersSandbox = await conversationIn(others, OTHERS_SAID);
});
afterAll(async () => {
  await others.client.call('DELETE', `/api/v1/sandboxes/${othersSandbox}`);
  const sql = `SELECT status FROM sandboxes WHERE id = '${othersSandbox}'`;
  await eventually(async () => expect(await ask(database.url, sql)).toEqual([{ status: 'MISSING' }]));
  await service.discard();
  await db.destroy();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Made {
  readonly orgId: string;
  readonly client: ConversationClient;
}

async function organization(name: string): Promise<Made> {
  const { id: orgId } = await makeOrg(db, { name });
  const { key } = await makeCaller(db, orgId, 'owner');
  return { orgId, client: new ConversationClient(server, key) };
}

/** A conversation with an agent that runs, in a sandbox of its own. @returns the sandbox */
async function conversationIn({ orgId, client }: Made, text: string): Promise<string> {
  const id = await client.ready({ title: text, initial_message: { role: 'user', ...saying(text) } });
  await client.texts(id, 'agent', 1);
  const { sandbox_id } = await client.record(id);
  await client.call('POST', `/api/organizations/${orgId}/members/invite`, {
    body: { emails: [`invited-${orgId}@example.com`] },
  });
  return sandbox_id;
}

const confirmed = `?confirm=${encodeURIComponent(NAME)}`;

function remove({ orgId, client }: Made) {
  return client.call('DELETE', `/api/organizations/${orgId}${confirmed}`);
}

/** All files below a folder that have a text. */
async function filesWith(root: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? await readFile(path).catch(() => Buffer.alloc(0)) : Buffer.alloc(0);
    if (texts.some((text) => path.includes(text) || content.includes(text))) found.push(path);
  }
  return found;
}

/** Waits until the row of an organization is gone. @param marks with its id */
async function rowIsGone(marks: readonly string[]): Promise<void> {
  const sql = 'SELECT id FROM organizations WHERE id::text = ANY ($1)';
  await eventually(async () => expect(await ask(database.url, sql, [marks])).toEqual([]), 60_000);
}

/** Waits for the end of an organization, and looks for what is left of it: in the database, and in the data folder. */
async function expectNothingOf(marks: readonly string[]): Promise<void> {
  // All rows are not looked at again and again before that.
  await rowIsGone(marks);
  await eventually(async () => {
    const left = rowsWith(await everyRow(database.url), marks);
    expect(Object.fromEntries(left)).toEqual({});
  });
  expect(await filesWith(folder, marks)).toEqual([]);
}

/** What names it, and what it has; `deleted-organization.spec.ts` looks for all that an organization can have. */
async function marksOf({ orgId }: Made): Promise<string[]> {
  const found = await ask(
    database.url,
    `WITH c AS (SELECT id, sandbox_id FROM conversations WHERE org_id = '${orgId}')
     SELECT id::text AS mark FROM c UNION ALL SELECT sandbox_id::text FROM c
     UNION ALL SELECT e.id FROM events e JOIN c ON c.id = e.conversation_id
     UNION ALL SELECT t.id::text FROM start_tasks t JOIN c ON c.id = t.conversation_id
     UNION ALL SELECT email FROM invitations WHERE org_id = '${orgId}'`,
  );
  expect(found.length).toBeGreaterThan(5);
  return [orgId, 'Quokka', 'quokka', ...found.map(({ mark }) => String(mark))];
}

/** Asks for the end of an organization, and does something while it is held up. @returns what names the organization */
async function heldUp(
  org: Made,
  hold: string,
  begin: () => Promise<unknown>,
  meanwhile: () => Promise<void>,
): Promise<string[]> {
  const marks = await marksOf(org);
  gone.push(...marks);
  const holder = new Client(database.url);
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(hold, [org.orgId]);
    const begun = begin().catch((error: unknown) => error);
    await eventually(async () =>
      expect(
        await ask(
          database.url,
          `SELECT 1 AS one FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`,
        ),
      ).not.toEqual([]),
    );
    await meanwhile();
    await holder.query('ROLLBACK');
    await begun;
    return marks;
  } finally {
    await holder.end();
  }
}

const tried = Object.entries(STEPS).slice(0, rounds(4, 1));

it.each(tried)('goes to its end although the service is killed %s', async (step, hold) => {
  const org = await organization(NAME);
  const sandbox = await conversationIn(org, SAID);
  expect(await filesWith(join(folder, 'sandboxes', 'embedded', sandbox), [SAID])).not.toEqual([]);
  const marks = await heldUp(
    org,
    hold,
    () => remove(org),
    async () => {
      await service.stop('SIGKILL');
    },
  );
  await launch();
  if (hold === STEPS['before it is shut'])
    expect([step, await remove(org)]).toMatchObject([step, { status: 202 }]);
  await expectNothingOf(marks);
});

it('is looked for once more after its row is gone, also by a service that was killed then', async () => {
  const org = await organization(NAME);
  await conversationIn(org, SAID);
  const marks = await marksOf(org);
  gone.push(...marks);
  await remove(org);
  await rowIsGone(marks);
  await service.stop('SIGKILL');
  await ask(database.url, `INSERT INTO domain_events_gone (org_id, position) VALUES ('${org.orgId}', 1)`);
  await launch();
  await expectNothingOf(marks);
});

it('is asked for by an operator, who is told how far it has come', async () => {
  const org = await organization(NAME);
  await conversationIn(org, SAID);
  const command = ['org:remove', org.orgId, '--confirm', NAME];
  await expect(runHere(['org:remove', org.orgId, '--confirm', 'Quokka'], env)).rejects.toThrow(
    'The confirmation is not the name of this organization.',
  );
  const marks = await heldUp(
    org,
    STEPS['while its sandboxes end'],
    () => CliProcess.run(command, env),
    async () => {
      expect(await runHere(command, env)).toMatchObject({
        org_id: org.orgId,
        ending_at: expect.any(String) as string,
        left: { sandboxes: 1, conversations: 1 },
      });
      const { items } = (await runHere(['org:list'], env)) as {
        items: { ending_at: string | null }[];
      };
      expect(items.map(({ ending_at }) => ending_at === null)).toEqual([true, true, false]);
    },
  );
  await expectNothingOf(marks);
  await expect(runHere(command, env)).rejects.toThrow('There is no organization with this id.');
});

it('leaves nothing in a backup that is made afterwards', async () => {
  const [target, restored] = [await mkdtemp(join(tmpdir(), 'restored-')), await createEmptyDatabase()];
  try {
    const file = join(target, 'backup.age');
    await runHere(['backup', '--to', file], env);
    const DATA_DIR = join(target, 'data');
    await runHere(['restore', '--from', file], { ...env, DATA_DIR, DATABASE_URL: restored.url });
    expect(await filesWith(DATA_DIR, [OTHERS_SAID])).not.toEqual([]);
    expect(await filesWith(DATA_DIR, gone)).toEqual([]);
    const rows = await everyRow(restored.url);
    expect(rowsWith(rows, [OTHERS_SAID]).size).toBeGreaterThan(0);
    expect(Object.fromEntries(rowsWith(rows, gone))).toEqual({});
  } finally {
    await restored.drop();
    await rm(target, { recursive: true, force: true });
  }
});
