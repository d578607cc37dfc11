import { chmod, copyFile, mkdtemp, open, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, AttackedService } from '../../support/agent-server/attacked-service';

const asRoot = process.getuid?.() === 0 ? describe : describe.skip;

/** A low number, and ones beyond those that Node closes by itself. */
const INHERITED = [3, 47, 251];

async function openFiles(pid: number): Promise<string[]> {
  const numbers = await readdir(`/proc/${pid}/fd`);
  const found = numbers.map((number) => readlink(`/proc/${pid}/fd/${number}`).catch(() => ''));
  return Promise.all(found);
}

asRoot('the agent server of a service that inherited open files from its supervisor', () => {
  let folder: string;
  let secret: string;
  let service: AttackedService;
  let agent: Agent;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'supervisor-'));
    secret = join(folder, 'secret');
    await writeFile(secret, 'hidden', { mode: 0o600 });
    const file = await open(secret);
    service = await AttackedService.start({}, new Map(INHERITED.map((number) => [number, file.fd])));
    await file.close();
    agent = await service.agent();
  });

  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('has none of them open, and neither has the agent', async () => {
    expect(await openFiles(service.pid)).toContain(secret);
    expect(await openFiles(agent.pid)).not.toContain(secret);
    const own = await agent.run('print join "\n", map { readlink } glob "/proc/self/fd/*";');
    expect(own).toContain('/');
    expect(own).not.toContain(secret);
  });

  it('gains no rights by programs that run as root', async () => {
    const program = join(service.dataDir, 'sandboxes', 'embedded', agent.id, 'id-as-root');
    await copyFile('/usr/bin/id', program);
    await chmod(program, 0o4755);
    expect(await agent.run(`print \`${program} -u\`;`)).toBe(`${agent.uid}\n`);
    expect(await agent.run('local @ARGV = "/proc/self/status"; print <>')).toMatch(/^NoNewPrivs:\s1$/m);
  });

  it('has a limited number of open files and processes', async () => {
    const limits = await agent.run('local @ARGV = "/proc/self/limits"; print <>');
    expect(limits).toMatch(/^Max open files +4096 +4096 /m);
    expect(limits).toMatch(/^Max processes +4096 +4096 /m);
  });
});
