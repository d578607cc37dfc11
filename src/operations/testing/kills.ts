import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf } from '../../kernel/common';
import type { DriverUnderTest } from './driver-under-test';
import { eventually } from './eventually';
import type { ServiceUnderTest } from './service-under-test';
import type { TestRunner } from './test-runner';

/** What is under way when the service is killed, and what has to come of it. */
const STEPS = ['start', 'run', 'pause', 'rest', 'resume', 'delete'] as const;
type Step = (typeof STEPS)[number];

/** Moments after the request at which it is killed: before, while and after the driver does it. */
const MOMENTS_MS = [0, 50, 150, 300, 600, 1_200] as const;

/**
 * The service is killed at some moment of a sandbox's life, and the next one brings the sandbox to where it was asked to
 * be, with its files. `SEED` repeats a choice; `LONG=yes` has all steps at all moments.
 */
export function describeKills(
  driver: DriverUnderTest,
  { it }: TestRunner,
  running: () => ServiceUnderTest,
): void {
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
async function before(service: ServiceUnderTest, step: Step, file: string): Promise<string> {
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
