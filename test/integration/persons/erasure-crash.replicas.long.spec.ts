import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { Erasures } from '../../../src/accounts/persons';
import { scriptOf } from '../../support/compiled/compiled-sources';
import { everyColumn } from '../../support/database/every-column';
import { eventually } from '../../support/eventually';
import { rowsWith, SomeonePersonal } from '../../support/persons/person';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';
const sent = z.object({ step: z.string() });

let app: TestApp;
let owner: TestCaller;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  // Takes calls, and leaves jobs to the others.
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await app.close();
});

function replica(dieAt: string | null): { steps: string[]; ended: Promise<NodeJS.Signals | null> } {
  const { path, execArgv } = scriptOf(join(__dirname, '..', '..', 'crash', 'erasure-replica-process'));
  const given = JSON.stringify({ databaseUrl: app.database.url, secretKey: SECRET_KEY, dieAt });
  const child = fork(path, [given], {
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.add(child);
  const steps: string[] = [];
  child.on('message', (message) => steps.push(sent.parse(message).step));
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('exit', (_, signal) => {
      children.delete(child);
      resolve(signal);
    }),
  );
  return { steps, ended };
}

async function begin(conversations: number): Promise<SomeonePersonal> {
  const person = await SomeonePersonal.make(app, owner, conversations);
  await app.app.get(Erasures, { strict: false }).ask({
    userId: person.caller.userId,
    orgId: null,
    askedBy: 'operator',
    askedByUserId: null,
    whenLifted: false,
  });
  return person;
}

const stateOf = async (userId: string): Promise<string | undefined> => {
  const [row] = await app.db.query<{ state: string }[]>('SELECT state FROM erasures WHERE user_id = $1', [
    userId,
  ]);
  return row?.state;
};

it('an erasure whose process is killed at each of its steps in turn is done by those after it', async () => {
  const known = await begin(3);
  const first = replica(null);
  await eventually(async () => expect(await stateOf(known.caller.userId)).toBe('done'), 60_000);
  for (const child of children) child.kill('SIGKILL');
  const steps = [...new Set(first.steps)];
  expect(steps.length).toBeGreaterThan(15);

  const other = await SomeonePersonal.make(app, owner, 1);
  const theirs = [other.caller.userId, other.word, ...other.conversationIds];
  const before = await rowsWith(app, theirs);
  const person = await begin(4);
  for (const step of steps) expect([step, await replica(step).ended]).toEqual([step, 'SIGKILL']);
  // Two at once finish it, or find it done.
  replica(null);
  replica(null);
  await eventually(async () => expect(await stateOf(person.caller.userId)).toBe('done'), 60_000);
  expect(await everyColumn(app.db, person.texts)).toEqual([]);
  // What is logged of them goes on to the audit log meanwhile.
  const after = await rowsWith(app, theirs);
  for (const [table, rows] of Object.entries(before))
    expect(rows.filter((row) => !(after[table] ?? []).includes(row))).toEqual([]);
});
