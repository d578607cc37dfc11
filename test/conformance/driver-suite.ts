import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxRecord } from '../support/agent-server/sandboxes';
import { connectScript, REACHED } from '../support/containers/connect-script';
import { ConformanceService } from './conformance-service';
import type { DriverFixture, DriverUnderTest, Fault } from './driver-under-test';
import { describeKills } from './kills';

/** `LONG=yes` has everything done as often as on a machine that does nothing else. */
const IS_LONG = process.env.LONG === 'yes';
const AT_ONCE = IS_LONG ? 50 : 10;

/**
 * What every driver of sandboxes has to do (docs/extending.md#other-sandboxes): the service runs in a process of its own,
 * with real sandboxes.
 */
export function describeDriver(driver: DriverUnderTest): void {
  const describeAll = driver.describe ?? describe;
  describeAll(`the driver ${driver.name}`, () => {
    let fixture: DriverFixture;
    let service: ConformanceService;
    const file = `${driver.workingDir}/kept`;

    beforeAll(async () => {
      fixture = await driver.open();
      try {
        service = await ConformanceService.start(fixture);
      } catch (error) {
        await fixture.close();
        throw error;
      }
    });
    afterAll(async () => {
      await service.stop().finally(() => fixture.close());
    });

    it('starts a sandbox that answers, and works in the folder for conversations', async () => {
      const { id, sandbox_spec_id, exposed_urls } = await service.createRunning();
      expect(sandbox_spec_id).toBe(driver.name);
      const [shown] = exposed_urls ?? [];
      const door = `/api/v1/sandboxes/${id}/agent-server`;
      if (driver.isBehindDoor) expect(new URL(shown?.url ?? '').pathname).toBe(door);
      else expect(shown?.url).toBe(await fixture.address(id));
      expect(
        await service.run(id, `cd ${driver.workingDir} && pwd && touch a-file && echo done`),
      ).toMatchObject({
        exit_code: 0,
        stdout: expect.stringMatching(/done\s*$/) as string,
      });
      const logs = await service.call<{ lines: string[] }>('GET', `sandboxes/${id}/logs`);
      expect(logs.body.lines.join('\n')).toContain('listens on');
      await service.deleteAll([id]);
    });

    it('carries a conversation, whose agent reports to the service', async () => {
      const message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };
      const conversation = await service.client.ready({ initial_message: message });
      expect(await service.client.texts(conversation, 'agent', 1)).toEqual([
        expect.stringContaining('Hello'),
      ]);
      await service.deleteAll([(await service.client.record(conversation)).sandbox_id]);
    });

    it('keeps the files of a paused sandbox, answers where it is after a resume, and deletes all', async () => {
      const { id } = await service.createRunning();
      const before = await fixture.address(id);
      await service.run(id, `echo something > ${file}`);
      await service.pause(id);
      const logs = await service.call<{ lines: string[] }>('GET', `sandboxes/${id}/logs`);
      if (driver.keepsLogs !== false) expect(logs.body.lines.join('\n')).toContain('listens on');
      await service.resume(id);
      if (driver.movesOnResume) expect(await fixture.address(id)).not.toBe(before);
      expect((await service.run(id, `cat ${file}`)).stdout).toBe('something\n');
      expect(await fixture.remains(id)).not.toEqual([]);
      await service.deleteAll([id]);
    });

    it('deletes a paused sandbox, and one that is asked for and not there yet', async () => {
      const [paused, young] = [await service.createRunning(), await service.create()];
      await service.pause(paused.id);
      await service.deleteAll([paused.id, young.id]);
    });

    it('notices within seconds that a sandbox was killed from outside, says so, and resumes it with its files', async () => {
      const { id } = await service.createRunning();
      await service.run(id, `echo something > ${file}`);
      await fixture.kill(id);
      const killed = await service.until(id, 'ERROR');
      expect(killed.status_detail).toMatch(/^The agent server ended unexpectedly\./);
      await service.resume(id);
      expect((await service.run(id, `cat ${file}`)).stdout).toBe('something\n');
      await service.deleteAll([id]);
    });

    it('finds its sandboxes again after a restart of the service', async () => {
      const [running, paused] = [await service.createRunning(), await service.createRunning()];
      await service.run(paused.id, `echo something > ${file}`);
      await service.pause(paused.id);
      await service.restart();
      await service.until(running.id, 'RUNNING');
      expect((await service.run(running.id, 'echo here')).stdout).toBe('here\n');
      await service.resume(paused.id);
      expect((await service.run(paused.id, `cat ${file}`)).stdout).toBe('something\n');
      await service.deleteAll([running.id, paused.id]);
    });

    describeKills(driver, () => ({ service, fixture }), IS_LONG);

    it(`runs ${AT_ONCE} that are asked for at once, each at an address of its own`, async () => {
      const asked = await Promise.all(Array.from({ length: AT_ONCE }, () => service.create()));
      const running = await Promise.all(asked.map(({ id }) => service.until(id, 'RUNNING')));
      const addresses = await Promise.all(running.map(({ id }) => fixture.address(id)));
      expect(new Set(addresses).size).toBe(AT_ONCE);
      expect(new Set(running.map(({ session_api_key }) => session_api_key)).size).toBe(AT_ONCE);
      await service.deleteAll(running.map(({ id }) => id));
    });

    if (driver.isolatesNetwork)
      it("reaches the service, and neither a neighbour, nor other ports of its host, nor a cloud's metadata", async () => {
        const [one, other] = [await service.createRunning(), await service.createRunning()];
        const bystander = createServer((_, response) => response.end('reached'));
        await new Promise<void>((listening) => bystander.listen(0, fixture.host, listening));
        try {
          const { port } = bystander.address() as AddressInfo;
          expect(await connect(one.id, `http://${fixture.host}:${service.port}`)).toContain(REACHED);
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
      await service.forget(id, driver.findsForgotten);
      await service.isGone(id);
    });

    if (driver.survivesAway !== undefined)
      it('waits with new sandboxes while what they run on is away, and has all others again when it is back', async () => {
        const [running, paused] = [await service.createRunning(), await service.createRunning()];
        await service.run(running.id, `echo something > ${file}`);
        await service.pause(paused.id);
        const giveBack = await fixture.takeAway?.();
        const asked = await service.create();
        await service.call('GET', `sandboxes?id=${asked.id}`);
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
      const first = await service.createRunning();
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
