import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf } from '../../src/common';
import { eventually } from '../support/eventually';
import type { ConformanceService } from './conformance-service';
import type { DriverFixture, DriverUnderTest } from './driver-under-test';

/** What is under way when the service is killed, and what has to come of it. */
const STEPS = ['start', 'run', 'pause', 'rest', 'resume', 'delete'] as const;
type Step = (typeof STEPS)[number];

/** Moments after the request at which it is killed: before, while and after the driver does it. */
const MOMENTS_MS = [0, 50, 150, 300, 600, 1_200] as const;

const IN_CI = 3;

/**
 * The service is killed at some moment of a sandbox's life, and the next one brings the sandbox to where it was asked to
 * be, with its files and without a second one. `SEED` repeats a choice; the long form has all steps at all moments.
 */
export function describeKills(
  driver: DriverUnderTest,
  running: () => { service: ConformanceService; fixture: DriverFixture },
  isLong: boolean,
): void {
  const seed = process.env.SEED ?? String(Date.now() % 1_000_000);
  const all = STEPS.flatMap((step) => MOMENTS_MS.map((moment) => ({ step, moment })));
  const ranked = [...all].sort((a, b) => rankOf(seed, a).localeCompare(rankOf(seed, b)));
  // Of each step the first: three steps that differ.
  const differing = ranked.filter(({ step }, n) => ranked.findIndex((one) => one.step === step) === n);
  const chosen = isLong ? all : differing.slice(0, IN_CI);

  it.each(chosen)(
    `goes on with a $step after a kill -9 of the service $moment ms later (SEED=${seed})`,
    async ({ step, moment }) => {
      const { service, fixture } = running();
      const file = `${driver.workingDir}/kept`;
      const id = await before(service, step, file);
      await begin(service, id, step);
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
      const written = await eventually(() =>
        service.run(id, step === 'start' ? 'echo something' : `cat ${file}`),
      );
      expect(written.stdout).toBe('something\n');
      expect(await fixture.remains(id)).not.toEqual([]);
      await service.deleteAll([id]);
    },
  );
}

/** Brings a sandbox to where the step begins. */
async function before(service: ConformanceService, step: Step, file: string): Promise<string> {
  if (step === 'start') return (await service.create()).id;
  const { id } = await service.createRunning();
  await service.run(id, `echo something > ${file}`);
  if (step === 'resume' || step === 'rest') await service.pause(id);
  return id;
}

async function begin(service: ConformanceService, id: string, step: Step): Promise<void> {
  if (step === 'pause' || step === 'resume' || step === 'delete') await service.ask(id, step);
}

/** The same order for the same seed. */
function rankOf(seed: string, { step, moment }: { step: Step; moment: number }): string {
  return digestOf(`${seed} ${step} ${moment}`);
}
