import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedAgentServerCommand } from '../../../src/appliance/embedded-agent-server';
import { newId, processSpace, startOf } from '../../../src/kernel/common';
import { eventually } from '../../support/eventually';
import { isAlive, SandboxService } from '../../support/agent-server/sandboxes';

const { command, args } = embeddedAgentServerCommand();

/** Sandboxes with users of their own, and commands: the tests need root for that. */
const describeAsRoot = process.getuid?.() === 0 ? describe : describe.skip;

describeAsRoot.each([
  ['embedded', {}],
  ['process', { AGENT_SERVER_COMMAND: [command, ...args, '--own-user'].join(' ') }],
])('agent servers of %s that are started ahead', (driver, env) => {
  let service: SandboxService;
  let folder: string;

  beforeAll(async () => {
    service = await SandboxService.start({ SANDBOX_DRIVER: driver, SANDBOX_WARM: '1', ...env });
    folder = join(service.dataDir, 'sandboxes', driver);
  });
  afterAll(() => service.stop());

  const recordOf = async (id: string) =>
    JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8')) as {
      readonly pid: number | null;
      readonly port: number;
      readonly isAhead: boolean;
    };
  const namesOfRecords = async (): Promise<string[]> =>
    (await readdir(folder)).flatMap((name) => (name.endsWith('.json') ? [name.replace('.json', '')] : []));
  const ahead = async (): Promise<string[]> => {
    const ids = await namesOfRecords();
    const are = await Promise.all(ids.map(async (id) => (await recordOf(id)).isAhead));
    return ids.filter((_, n) => are[n]);
  };
  /** Waits until one takes keys. */
  const waiting = (): Promise<{ readonly id: string; readonly pid: number }> =>
    eventually(async () => {
      const [id = 'none', ...others] = await ahead();
      expect(others).toEqual([]);
      const { pid, port } = await recordOf(id);
      expect((await fetch(`http://127.77.0.1:${port}/ready`)).status).toBe(200);
      if (pid === null) throw new Error('It is still being started.');
      return { id, pid };
    });
  const run = async (id: string, text: string): Promise<string> => {
    const { exposed_urls, session_api_key } = await service.read(id);
    const response = await fetch(`${exposed_urls?.[0]?.url}/api/bash/execute_bash_command`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-api-key': session_api_key ?? '' },
      body: JSON.stringify({ command: text, timeout: 30 }),
    });
    return ((await response.json()) as { stdout: string }).stdout;
  };

  it('become the sandbox that is asked for, with its key, and keep its files; another is started in their place', async () => {
    const before = await waiting();
    // It is known to be ready a moment later.
    const sandbox = await eventually(async () => {
      const made = await service.createRunning();
      expect(await service.pid(made.id)).toBe(before.pid);
      return made;
    });
    const { id, exposed_urls } = sandbox;
    expect(await run(id, 'echo something > ~/kept; echo done')).toBe('done\n');
    const another = await fetch(`${exposed_urls?.[0]?.url}/api/conversations/count`, {
      headers: { 'x-session-api-key': 'another' },
    });
    expect(another.status).toBe(401);
    expect((await stat(service.home(id))).mode & 0o777).toBe(0o700);
    expect((await waiting()).pid).not.toBe(before.pid);

    await service.call('POST', `/api/v1/sandboxes/${id}/pause`);
    await service.until(id, 'PAUSED');
    expect(isAlive(before.pid)).toBe(false);
    await service.call('POST', `/api/v1/sandboxes/${id}/resume`);
    await service.until(id, 'RUNNING');
    expect(await run(id, 'cat ~/kept')).toBe('something\n');

    await service.call('DELETE', `/api/v1/sandboxes/${id}`);
    await service.until(id, 'MISSING');
    const names = await readdir(folder);
    expect(names.filter((name) => name.startsWith(id) || name.startsWith(before.id))).toEqual([]);
  });

  it('that end before they are wanted leave nothing, and nobody waits for them', async () => {
    const { id, pid } = await waiting();
    process.kill(pid, 'SIGKILL');
    await eventually(async () => expect(await namesOfRecords()).not.toContain(id));
    const sandbox = await service.createRunning();
    await service.call('DELETE', `/api/v1/sandboxes/${sandbox.id}`);
    await service.until(sandbox.id, 'MISSING');
  });

  it('end with the service, and those that a crash left are ended by the next one', async () => {
    await service.restart();
    const { pid } = await waiting();
    const left = { id: newId(), process: spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }) };
    await once(left.process, 'spawn');
    const ended = once(left.process, 'exit');
    await service.restart({ SANDBOX_WARM: '0' }, async () => {
      expect(isAlive(pid)).toBe(false);
      expect(await ahead()).toEqual([]);
      const number = left.process.pid ?? 0;
      const where = { space: await processSpace(), host: '127.0.0.1', port: 20_000, uid: null };
      const record = { ...where, pid: number, start: await startOf(number), isAhead: true };
      await mkdir(join(folder, left.id));
      await writeFile(join(folder, `${left.id}.json`), JSON.stringify(record));
    });
    await ended;
    await eventually(async () =>
      expect((await readdir(folder)).filter((name) => name.startsWith(left.id))).toEqual([]),
    );
    expect(await ahead()).toEqual([]);
    await rm(join(folder, left.id), { recursive: true, force: true });
  });
});
