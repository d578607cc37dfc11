import assert from 'node:assert/strict';
import type { DriverFixture, DriverUnderTest } from './driver-under-test';
import { ServiceWithDriver } from './service-with-driver';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf } from '../../kernel/common';
import { eventually } from './eventually';

/** What is under way when the service is killed, and what has to come of it. */
const STEPS = ['start', 'run', 'pause', 'rest', 'resume', 'delete'] as const;
type Step = (typeof STEPS)[number];

/** Moments after the request at which it is killed: before, while and after the driver does it. */
const MOMENTS_MS = [0, 50, 150, 300, 600, 1_200] as const;

/**
 * The service is killed at some moment of a sandbox's life, and the next one brings the sandbox to where it was asked to
 * be, with its files. `SEED` repeats a choice; `LONG=yes` has all steps at all moments.
 */
function describeKills(driver: DriverUnderTest, { it }: TestRunner, running: () => ServiceWithDriver): void {
  const seed = process.env.SEED ?? String(Date.now() % 1_000_000);
  const all = STEPS.flatMap((step) => MOMENTS_MS.map((moment) => ({ step, moment })));
  const ranked = [...all].sort((a, b) => rankOf(seed, a).localeCompare(rankOf(seed, b)));
  const file = `${driver.workingDir}/kept`;

  for (const { step, moment } of process.env.LONG === 'yes' ? all : ranked.slice(0, 1))
    it(`goes on with a ${step} after a kill -9 of the service ${moment} ms later (SEED=${seed})`, async () => {
      const service = running();
      const id = await before(service, step, file);
      if (step === 'pause' || step === 'resume' || step === 'delete') await service.ask(id, step);
      await sleep(moment);
      await service.kill();
      await service.restart();
      if (step === 'delete') {
        await service.until(id, 'MISSING');
        await service.isGone(id);
        return;
      }
      if (step === 'pause' || step === 'rest') {
        await service.rests(id);
        await service.resume(id);
      }
      await service.until(id, 'RUNNING');
      const command = step === 'start' ? 'echo something' : `cat ${file}`;
      assert.equal((await eventually(() => service.run(id, command))).stdout, 'something\n');
      await service.deleteAll([id]);
    });
}

/** Brings a sandbox to where the step begins. */
async function before(service: ServiceWithDriver, step: Step, file: string): Promise<string> {
  if (step === 'start') return (await service.create()).id;
  const { id } = await service.createRunning();
  await service.run(id, `echo something > ${file}`);
  if (step === 'resume' || step === 'rest') await service.pause(id);
  return id;
}

/** The same order for the same seed. */
function rankOf(seed: string, { step, moment }: { step: Step; moment: number }): string {
  return digestOf(`${seed} ${step} ${moment}`);
}

/** `LONG=yes` has everything done as often as on a machine that does nothing else. */
const AT_ONCE = process.env.LONG === 'yes' ? 50 : 4;

/**
 * Declares the tests of what every driver of sandboxes has to do (docs/extending.md#other-sandboxes): the service runs in a
 * process of its own, with real sandboxes, and is stopped and killed.
 * @param runner the functions of the test runner
 * @param more declares tests that only this driver has, with the service that runs meanwhile
 */
export function describeDriver(
  driver: DriverUnderTest,
  runner: TestRunner,
  more: (running: () => ServiceWithDriver) => void = () => undefined,
): void {
  const { describe, it, beforeAll, afterAll } = runner;
  describe(`the driver ${driver.name}`, () => {
    let fixture: DriverFixture;
    let service: ServiceWithDriver;
    const file = `${driver.workingDir}/kept`;

    beforeAll(async () => {
      fixture = await driver.open();
      try {
        service = await ServiceWithDriver.start(fixture, driver.program);
      } catch (error) {
        await fixture.close();
        throw error;
      }
    });
    afterAll(async () => {
      try {
        await service.close();
      } finally {
        await fixture.close();
      }
    });

    it('starts a sandbox that answers where callers are told, and works in the folder for conversations', async () => {
      const { id, sandbox_spec_id, exposed_urls } = await service.createRunning();
      assert.equal(sandbox_spec_id, driver.name);
      const { url = '' } = exposed_urls?.[0] ?? {};
      if (driver.isBehindDoor) assert.equal(new URL(url).pathname, `/api/v1/sandboxes/${id}/agent-server`);
      else assert.equal(url, await fixture.address(id));
      const { exit_code, stdout } = await service.run(
        id,
        `cd ${driver.workingDir} && touch a-file && echo done`,
      );
      assert.deepEqual([exit_code, stdout], [0, 'done\n']);
      if (driver.logs !== undefined) assert.match(await service.logs(id), driver.logs.say);
      await service.deleteAll([id]);
    });

    it('carries a conversation, whose agent reports to the service', async () => {
      const { sandboxId, answer } = await service.converse('Hello');
      assert.notEqual(answer, '');
      await service.deleteAll([sandboxId]);
    });

    it('keeps the files of a paused sandbox, answers where it is after a resume, and deletes all', async () => {
      const { id } = await service.createRunning();
      const before = await fixture.address(id);
      await service.run(id, `echo something > ${file}`);
      await service.pause(id);
      if (driver.logs?.stay === true) assert.match(await service.logs(id), driver.logs.say);
      await service.resume(id);
      if (driver.movesOnResume) assert.notEqual(await fixture.address(id), before);
      assert.equal((await service.run(id, `cat ${file}`)).stdout, 'something\n');
      assert.notDeepEqual(await fixture.remains(id), []);
      await service.deleteAll([id]);
    });

    it('deletes a paused sandbox, and one that is asked for and not there yet', async () => {
      const [paused, young] = [await service.createRunning(), await service.create()];
      await service.pause(paused.id);
      await service.deleteAll([paused.id, young.id]);
    });

    it('notices that a sandbox was killed from outside, says so, and resumes it with its files', async () => {
      const { id } = await service.createRunning();
      await service.run(id, `echo something > ${file}`);
      await fixture.kill(id);
      const { status_detail } = await service.until(id, 'ERROR');
      assert.match(status_detail ?? '', /^The agent server ended unexpectedly\./);
      await service.resume(id);
      assert.equal((await service.run(id, `cat ${file}`)).stdout, 'something\n');
      await service.deleteAll([id]);
    });

    it('finds its sandboxes again after a restart of the service', async () => {
      const [running, paused] = [await service.createRunning(), await service.createRunning()];
      await service.run(paused.id, `echo something > ${file}`);
      await service.pause(paused.id);
      await service.restart();
      await service.until(running.id, 'RUNNING');
      assert.equal((await service.run(running.id, 'echo here')).stdout, 'here\n');
      await service.resume(paused.id);
      assert.equal((await service.run(paused.id, `cat ${file}`)).stdout, 'something\n');
      await service.deleteAll([running.id, paused.id]);
    });

    describeKills(driver, runner, () => service);

    it(`runs ${AT_ONCE} that are asked for at once, each with an address and a key of its own`, async () => {
      const asked = await Promise.all(Array.from({ length: AT_ONCE }, () => service.create()));
      const running = await Promise.all(asked.map(({ id }) => service.until(id, 'RUNNING')));
      const addresses = await Promise.all(running.map(({ id }) => fixture.address(id)));
      assert.equal(new Set(addresses).size, AT_ONCE);
      assert.equal(new Set(running.map(({ session_api_key }) => session_api_key)).size, AT_ONCE);
      await service.deleteAll(running.map(({ id }) => id));
    });

    more(() => service);
  });
}

/**
 * What the suite needs of a test runner: the globals of Jest or Vitest, or of `node:test` with `before` and `after`. A
 * test starts real sandboxes, several times: its time-out has to be minutes.
 */
export interface TestRunner {
  readonly describe: (name: string, tests: () => void) => unknown;
  readonly it: (name: string, test: () => Promise<void>) => unknown;
  readonly beforeAll: (hook: () => Promise<void>) => unknown;
  readonly afterAll: (hook: () => Promise<void>) => unknown;
}
