import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Agent, AttackedService } from '../../support/agent-server/attacked-service';
import { withNftables } from '../../support/agent-server/nftables';
import { scriptOf } from '../../support/compiled/compiled-sources';
import { eventually } from '../../support/eventually';

/** An address of its own, so that what others run on this machine keeps its ports. */
const HOST = '127.0.9.9';
const PORTS = 12_768;

withNftables('a sandbox that takes what all need', () => {
  let service: AttackedService;
  let agent: Agent;

  beforeAll(async () => {
    service = await AttackedService.start({ SANDBOX_HOST: HOST });
  });
  beforeEach(async () => (agent = await service.agent()));
  // Its port is free for the next.
  afterEach(async () => {
    await service.call('DELETE', `/api/v1/sandboxes/${agent.id}`);
    await eventually(async () =>
      expect(await service.sandbox(agent.id)).toMatchObject({ status: 'MISSING' }),
    );
  });

  afterAll(() => service.stop());

  it('has a limited number of connections, and others have theirs', async () => {
    const program =
      `my $tcp = bound('${HOST}', 0); listen($tcp, 4096) or die $!; my $there = getsockname($tcp); my @open;` +
      `for (1 .. 3000) { my $one = tcp('${HOST}'); connect($one, $there) or last; push @open, $one }` +
      `print scalar(@open), " $!";`;
    const [count, ...reason] = (await agent.run(program)).split(' ');
    expect(Number(count)).toBeGreaterThan(1_000);
    expect(Number(count)).toBeLessThanOrEqual(2_048);
    expect(reason.join(' ')).toBe('Connection refused');
    expect(await agent.run(`print 'runs on'`)).toBe('runs on');
  });

  it('is ended when it has all ports, and another one starts', async () => {
    await agent.leave(
      `my @taken; for my $part (0 .. 3) { next if fork; my @own;` +
        `for (my $port = 20000 + $part; $port < 32768; $port += 4) {` +
        `my $tcp = tcp('${HOST}'); push @own, $tcp if bind($tcp, at('${HOST}', $port)) }` +
        `print scalar(@own), "\n"; sleep; exit } sleep;`,
    );
    await eventually(async () => {
      const counts = (await agent.printed()).trim().split('\n').map(Number);
      expect(counts).toHaveLength(4);
      // All but the port of its agent server, and the few that others on this machine have at all addresses.
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(PORTS - 16);
    });
    const other = await service.agent();
    expect(await other.run(`print 'works'`)).toBe('works');
    await eventually(() => expect(service.log).toContain(`The sandbox of user ${agent.uid} is ended`));
    await eventually(async () => expect(await service.sandbox(agent.id)).toMatchObject({ status: 'ERROR' }));
  });
});

const run = promisify(execFile);
const hasNamespaces = process.getuid?.() === 0 && spawnSync('unshare', ['-n', 'true']).status === 0;
const inNamespace = hasNamespaces || process.env.CI !== undefined ? it : it.skip;

inNamespace('a sandbox that takes all ports for outgoing connections of its host is ended', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hoarded-'));
  try {
    const { path, execArgv } = scriptOf(
      join(__dirname, '..', '..', 'support', 'agent-server', 'hoarded-host'),
    );
    const args = ['-n', process.execPath, ...execArgv, path, dataDir];
    const { stdout } = await run('unshare', args, { timeout: 300_000 });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
      before: expect.stringContaining('EADDRNOTAVAIL') as string,
      after: 'connected',
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
