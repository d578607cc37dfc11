import { Erasures, PersonsModule } from '../../../src/accounts/persons';
import { ErasureRecord } from '../../../src/accounts/persons/erasure/erasure-record';
import { FaultPoints } from '../../../src/kernel/leases';
import { JobHandlers, type RunningJob } from '../../../src/kernel/jobs';
import { everyColumn } from '../../support/database/every-column';
import { SomeonePersonal } from '../../support/persons/person';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';

let app: TestApp;
let owner: TestCaller;
/** Stops the work at one of its steps, as the end of the process does. */
let reached: (step: string) => void = () => undefined;
beforeAll(async () => {
  // Runs no jobs: the test does.
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
  Object.assign(app.app.select(PersonsModule).get(FaultPoints, { strict: true }), {
    reached: (_: string, step: string) => reached(step),
  });
  Object.assign(app.app.get(ErasureRecord, { strict: false }), {
    erased: (_: unknown, { userId }: { userId: string }) => {
      recorded.push(userId);
      return Promise.resolve();
    },
  });
});
afterAll(() => app.close());

class Stopped extends Error {}

const job: RunningJob = {
  id: '1',
  name: 'person-erasure',
  attempt: 1,
  maxAttempts: 25,
  lease: { fence: 1, isHeld: () => true, assertHeld: () => undefined },
  signal: new AbortController().signal,
};

async function begin(): Promise<{ person: SomeonePersonal; run: () => Promise<void> }> {
  const person = await SomeonePersonal.make(app, owner, 3);
  const { userId } = person.caller;
  const { id: erasureId } = await app.app
    .get(Erasures, { strict: false })
    .ask({ userId, orgId: null, askedBy: 'operator', askedByUserId: null, whenLifted: false });
  return { person, run: () => app.app.get(JobHandlers).run({ erasureId }, job) };
}

const finished = (userId: string) =>
  app.db.query<{ state: string; email: string | null }[]>(
    'SELECT state, email FROM erasures WHERE user_id = $1',
    [userId],
  );
/** The erasures that were recorded, by their users. */
const recorded: string[] = [];
const recordedOf = (userId: string) => recorded.filter((id) => id === userId);

it('goes on from whichever step it was stopped at, and ends once', async () => {
  const steps: string[] = [];
  reached = (step) => void steps.push(step);
  const first = await begin();
  await first.run();
  expect(await finished(first.person.caller.userId)).toEqual([{ state: 'done', email: null }]);
  expect(new Set(steps).size).toBeGreaterThan(15);

  const { person, run } = await begin();
  const { userId } = person.caller;
  for (const stopAt of new Set(steps)) {
    reached = (step) => {
      if (step === stopAt) throw new Stopped();
    };
    await expect(run()).rejects.toThrow(Stopped);
    expect((await finished(userId))[0]?.state).toBe(stopAt === 'finish' ? 'done' : 'working');
  }
  reached = () => undefined;
  await run();
  await run();
  expect(await finished(userId)).toEqual([{ state: 'done', email: null }]);
  expect(recordedOf(userId)).toHaveLength(1);
  expect(await everyColumn(app.db, person.texts)).toEqual([]);
});

it('ends once where two run at the same time', async () => {
  reached = () => undefined;
  const { person, run } = await begin();
  await Promise.all([run(), run(), run()]);
  expect(recordedOf(person.caller.userId)).toHaveLength(1);
  expect(await everyColumn(app.db, person.texts)).toEqual([]);
});
