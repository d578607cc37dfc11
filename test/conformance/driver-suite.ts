import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeDriver, type SandboxRecord, type ServiceWithDriver } from '../../src/operations/testing';
import { connectScript, REACHED } from '../support/containers/connect-script';
import { ask } from '../support/database/ask';
import type { Fault, OwnDriver, OwnFixture } from './driver-under-test';
import { makeDatabase, type OwnDatabase, ownProgram, withDatabase } from './own-service';

/**
 * What every driver has to do, as extensions test theirs, and what only the service's own can be asked for: faults of what
 * they run on, sandboxes that nobody knows, agents that look around.
 */
export function describeOwnDriver(driver: OwnDriver): void {
  let fixture: OwnFixture;
  let database: OwnDatabase;
  const open = async () => {
    fixture = await driver.open();
    database = await makeDatabase();
    return withDatabase(fixture, database);
  };
  const runner = { describe: driver.describe ?? describe, it, beforeAll, afterAll };
  const file = `${driver.workingDir}/kept`;

  describeDriver({ ...driver, open, program: ownProgram() }, runner, (running) => {
    let service: ServiceWithDriver;
    beforeAll(() => {
      service = running();
    });

    if (driver.isolatesNetwork)
      it("reaches the service, and neither a neighbour, nor other ports of its host, nor a cloud's metadata", async () => {
        const [one, other] = [await service.createRunning(), await service.createRunning()];
        const bystander = createServer((_, response) => response.end('reached'));
        await new Promise<void>((listening) => bystander.listen(0, fixture.host, listening));
        try {
          const { port } = bystander.address() as AddressInfo;
          expect(await connect(one.id, service.url)).toContain(REACHED);
          await fixture.openWays?.([one.id, other.id]);
          const targets = [
            `http://${fixture.host}:${port}`,
            await fixture.address(other.id),
            ...fixture.forbidden,
          ];
          const reached = await Promise.all(targets.map((target) => connect(one.id, target)));
          expect(targets.filter((_, n) => reached[n]?.includes(REACHED))).toEqual([]);
          expect(await connect(one.id, await fixture.address(one.id))).toContain(REACHED);
        } finally {
          bystander.close();
        }
        await service.deleteAll([one.id, other.id]);
      });

    it("gives an agent neither a neighbour's key nor its files", async () => {
      const [one, other] = [await service.createRunning(), await service.createRunning()];
      await service.run(one.id, `echo text-of-one > ${file}`);
      await service.run(other.id, `echo text-of-other > ${file}`);
      const places = '/workspace /proc/[0-9]*/environ /proc/[0-9]*/root/workspace';
      const found = async (text: string): Promise<boolean> =>
        (await service.run(one.id, `grep -rlsaF -D skip -e ${text} ${places}`)).stdout !== null;
      expect(await found('text-of-one')).toBe(true);
      expect(await found('text-of-other')).toBe(false);
      expect(await found(other.session_api_key ?? '')).toBe(false);
      await service.deleteAll([one.id, other.id]);
    });

    if (driver.keepsKeysFromLookers)
      it('shows no key to who looks at what a sandbox runs in', async () => {
        const { id, session_api_key } = await service.createRunning();
        expect(await fixture.visible?.(id)).toContain(id);
        expect(await fixture.visible?.(id)).not.toContain(session_api_key);
        await service.deleteAll([id]);
      });

    it('has what nobody knows any more removed', async () => {
      const { id } = await service.createRunning();
      const note = driver.findsForgotten ? `DELETE FROM sandbox_leftovers WHERE sandbox_id = '${id}';` : '';
      await ask(database.env.DATABASE_URL, `DELETE FROM sandboxes WHERE id = '${id}'; ${note}`);
      await service.isGone(id);
    });

    if (driver.survivesAway !== undefined)
      it('waits with new sandboxes while what they run on is away, and has all others again when it is back', async () => {
        const [running, paused] = [await service.createRunning(), await service.createRunning()];
        await service.run(running.id, `echo something > ${file}`);
        await service.pause(paused.id);
        const giveBack = await fixture.takeAway?.();
        const asked = await service.create();
        await service.call('GET', `/api/v1/sandboxes?id=${asked.id}`);
        await giveBack?.();
        await service.until(asked.id, 'RUNNING');
        if (driver.survivesAway !== true) await service.until(running.id, 'ERROR');
        for (const { id } of [running, paused]) await service.resume(id);
        expect((await service.run(running.id, `cat ${file}`)).stdout).toBe('something\n');
        await service.deleteAll([running.id, paused.id, asked.id]);
      });

    const itFails = (name: string, fault: Fault | undefined, act: () => Promise<SandboxRecord>): void => {
      if (fault === undefined) return;
      it(name, async () => {
        await service.restart(fault.env);
        const failed = await act();
        expect(failed.status_detail).toMatch(fault.detail);
        await service.deleteAll([failed.id]);
      });
    };
    const failsToStart = async (): Promise<SandboxRecord> =>
      service.until((await service.create()).id, 'ERROR');

    itFails('says of an image that is not there what to do', driver.faults.missingImage, failsToStart);
    itFails('says that a sandbox ran out of memory', driver.faults.outOfMemory, failsToStart);
    itFails('says that there is no room for another sandbox', driver.faults.noCapacity, async () => {
      // The one that waits for room has little time; the first has as much as it needs.
      await service.restart({ ...driver.faults.noCapacity?.env, SANDBOX_START_SECONDS: '300' });
      const first = await service.createRunning();
      await service.restart(driver.faults.noCapacity?.env);
      const failed = await failsToStart();
      await service.deleteAll([first.id]);
      return failed;
    });
    itFails(
      'stops a sandbox that takes more disk than it may, and lets it make room',
      driver.faults.diskFull,
      async () => {
        const { id } = await service.createRunning();
        const large = driver.faults.diskFull?.file ?? file;
        await service.run(id, `head -c 16000000 /dev/zero > ${large}`);
        const failed = await service.until(id, 'ERROR');
        await service.resume(id);
        await service.run(id, `rm -f ${large}`);
        expect((await service.run(id, 'echo here')).stdout).toBe('here\n');
        return failed;
      },
    );

    async function connect(id: string, url: string): Promise<string> {
      const { hostname, port } = new URL(url);
      return (await service.run(id, `node -e '${connectScript(hostname, port)}'`)).stdout ?? '';
    }
  });
}
