import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { namespaceProblem } from '../../../src/drivers/launch/namespaces';
import { type Agent, AttackedService } from '../../support/agent-server/attacked-service';
import { eventually } from '../../support/eventually';
import { timeBound } from '../../support/time-bound';

const isRoot = process.getuid?.() === 0;
const possible = namespaceProblem() === null || process.env.CI !== undefined;

/** Writes a byte every 20 ms for an hour, from a thread whose process has ended its first one. */
const WITHOUT_FIRST_THREAD =
  `use threads; use POSIX; my $exit = (POSIX::uname())[4] eq 'x86_64' ? 60 : 93;` +
  `threads->create(sub { open my $beats, '>>', "$ENV{HOME}/beats"; $beats->autoflush;` +
  `for (1 .. 180000) { print $beats 'x'; select undef, undef, undef, 0.02 } }); syscall($exit, 0);`;
/**
 * Processes that start another one and end, hundreds a second: faster than anybody could look for them, and not so fast that
 * nothing else has its turn on the machine.
 */
const HOPS =
  `for (1 .. 4) { next if fork; open F, '>>', "$ENV{HOME}/hops";` +
  `while (1) { my $pid = fork; exit if $pid; syswrite F, 'x' if defined $pid; select undef, undef, undef, 0.01 } }`;

/** What a client comes to who connects from the host. */
function reach(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => end('connected'));
    const end = (what: string): void => {
      socket.destroy();
      resolve(what);
    };
    socket.on('error', ({ message }) => end(message));
  });
}

const tries = (host: string, port: number): string =>
  `my $tcp = tcp('${host}'); local $SIG{ALRM} = sub { print 'nothing'; exit }; alarm 3;` +
  `print connect($tcp, at('${host}', ${port})) ? 'connected' : $!;`;

/** Where this host is reached from others. */
function addressesOfHost(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return all.flatMap(({ internal, family, address }) => (internal || family !== 'IPv4' ? [] : [address]));
}

/** What an agent is answered who asks the service whose key or session it is. */
const asks = (port: number, header: string): string =>
  `my $tcp = tcp('127.0.0.1'); connect($tcp, at('127.0.0.1', ${port})) or die $!;` +
  `syswrite $tcp, "GET /api/keys/current HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\n${header}\\r\\n` +
  `Sec-Fetch-Site: same-origin\\r\\nConnection: close\\r\\n\\r\\n"; print while <$tcp>;`;

describe.each([
  ['root', isRoot],
  ['another user', true],
] as const)('the sandboxes of a service that runs as %s', (as, canRun) => {
  const run = possible && canRun ? it : it.skip;
  let service: AttackedService;
  let own: Agent;
  let other: Agent;
  let bystander: Server;
  /** Those that were there when the sandboxes began. */
  let addresses: string[];

  beforeAll(async () => {
    if (!possible || !canRun) return;
    service = await AttackedService.start({}, new Map(), as === 'another user');
    await writeFile(join(service.dataDir, 'secret'), 'hidden', { mode: 0o600 });
    bystander = createServer((socket) => socket.end('hello'));
    await new Promise<void>((listening) => bystander.listen(0, '0.0.0.0', listening));
    addresses = addressesOfHost();
    [own, other] = await Promise.all([service.agent(), service.agent()]);
  });
  afterAll(async () => {
    if (!possible || !canRun) return;
    bystander.close();
    await service.stop();
  });

  const home = (agent: Agent, ...names: string[]): string =>
    join(service.dataDir, 'sandboxes', 'embedded', agent.id, ...names);
  const sizes = async (): Promise<number[]> =>
    Promise.all(['beats', 'hops'].map(async (name) => (await readFile(home(other, name))).length));

  run('see their own processes only', async () => {
    const commands = await own.run(`print map { local (@ARGV, $/) = $_; <> } glob '/proc/[0-9]*/cmdline'`);
    expect(commands.replaceAll('\0', ' ')).toContain('--own-user');
    expect(commands).not.toContain(other.id);
    expect(commands).not.toContain('pasta');
    const seen = await own.run(`print join ' ', map { m#(\\d+)# } glob '/proc/[0-9]*'`);
    expect(seen.split(' ').length).toBeLessThan(12);
  });

  run('have /tmp, /var/tmp and /dev/shm of their own, whose memory is limited', async () => {
    for (const folder of ['/tmp', '/var/tmp', '/dev/shm']) {
      const file = `${folder}/of-one-sandbox`;
      expect(await own.run(`open F, '>', '${file}' or die $!; print -e '${file}'`)).toBe('1');
      expect(await other.run(`print -e '${file}' ? 'there' : 'none'`)).toBe('none');
      await expect(readFile(file)).rejects.toThrow('ENOENT');
    }
    const filled = `open F, '>', '/dev/shm/large' or die $!; my $n = 0; $n++ while $n < 200 && syswrite F, 'x' x 1048576; print $n`;
    expect(Number(await own.run(filled))).toBeLessThan(65);
    expect(await own.run(`print open(F, '>', '/dev/file') ? 'made' : $!`)).toBe('Read-only file system');
  });

  run('have no rights, and none to gain', async () => {
    const rights = await own.run(
      `print grep { /^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Uid)/ } map { local @ARGV = $_; <> } '/proc/self/status'`,
    );
    for (const name of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'])
      expect(rights).toContain(`Cap${name}:\t0000000000000000`);
    expect(rights).toContain('NoNewPrivs:\t1');
    expect(rights).not.toMatch(/Uid:\t0\t/);
  });

  run('know the name of their user', async () => {
    const ident = 'git -c user.email=a@example.com var GIT_AUTHOR_IDENT';
    const told = await own.run(`print map { scalar qx($_) } 'whoami', 'id -gn', '${ident}'`);
    expect(told).toMatch(/^sandbox\nsandbox\nsandbox <a@example\.com> /);
  });

  run('open no file of the service and of one another', async () => {
    for (const path of [
      join(service.dataDir, 'secret'),
      home(other),
      `${home(other)}.json`,
      `${home(own)}.json`,
    ])
      expect(
        await own.run(`print((open F, '<', '${path}') || opendir(D, '${path}') ? 'opened' : "$!")`),
      ).toMatch(/Permission denied|No such file/);
  });

  run('reach the service, and nothing else of this host', async () => {
    const { port } = bystander.address() as AddressInfo;
    expect(await own.run(tries('127.0.0.1', service.port))).toBe('connected');
    expect(await own.run(tries('127.0.0.1', own.port))).toBe('connected');
    expect(await own.run(tries('127.0.0.1', port))).toBe('Connection refused');
    expect(await own.run(tries('127.77.0.1', other.port))).toBe('Connection refused');
    for (const metadata of ['169.254.169.254', '168.63.129.16', '100.100.100.200'])
      expect([metadata, await own.run(tries(metadata, 80))]).toEqual([metadata, 'Permission denied']);
    for (const address of addresses) {
      const came = await own.run(tries(address, port));
      // Those of engines that other tests run go with them.
      if (addressesOfHost().includes(address)) expect([address, came]).not.toEqual([address, 'connected']);
    }
  });

  run(
    "call with their keys, and with nobody else's session, also once the service was started again",
    async () => {
      const session = await service.session();
      const answered = (cookie: string): Promise<string> => own.run(asks(service.port, `Cookie: ${cookie}`));
      const headers = { Cookie: session, 'Sec-Fetch-Site': 'same-origin' };
      const signedIn = (port: number): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}/api/keys/current`, { headers });
      for (const isAgain of [false, true]) {
        if (isAgain) {
          await service.kill();
          await service.begin();
        }
        expect((await signedIn(service.port)).status).toBe(200);
        expect(await answered(session)).toMatch(/^HTTP\/1.1 403 .*session_from_sandbox/s);
        expect(await answered('other=1')).toMatch(/^HTTP\/1.1 401 /);
        expect(await own.run(asks(service.port, `X-Access-Token: ${service.key}`))).toMatch(
          /^HTTP\/1.1 200 /,
        );
      }
      expect((await service.agentIn(own.id)).pid).toBe(own.pid);
    },
  );

  run('let nobody in to what they listen on, but to the agent server', async () => {
    await own.leave(
      `for my $host ('0.0.0.0', '::1') { my $tcp = bound($host, ${service.port}); listen($tcp, 5) or die $!; push @all, $tcp } print "listening\\n"; sleep;`,
    );
    // The way to the service is there already.
    await own.leave(
      `my $tcp = bound('0.0.0.0', 4711); listen($tcp, 5) or die $!; print "listening\\n"; sleep;`,
    );
    await eventually(async () => expect(await own.printed()).toContain('listening'));
    for (const host of ['127.0.0.1', '127.77.0.1', '::1'])
      expect(await reach(host, 4_711)).toMatch(/ECONNREFUSED/);
    expect(await reach('127.0.0.1', own.port)).toMatch(/ECONNREFUSED/);
    expect(await reach('127.77.0.1', own.port)).toBe('connected');
    expect((await service.call('GET', '/api/keys/current')).status).toBe(200);
  });

  run('end with their first process, whatever their agents started', async () => {
    await other.leave(WITHOUT_FIRST_THREAD);
    await other.leave(HOPS);
    await eventually(async () => expect(Math.min(...(await sizes()))).toBeGreaterThan(20));
    const begun = performance.now();
    await service.call('POST', `/api/v1/sandboxes/${other.id}/pause`);
    await eventually(
      async () => expect(await service.sandbox(other.id)).toMatchObject({ status: 'PAUSED' }),
      30_000,
    );
    expect(performance.now() - begun).toBeLessThan(timeBound(20_000));
    await eventually(async () =>
      expect(await readFile(`/proc/${other.pid}/stat`, 'utf8').catch(() => 'gone')).toBe('gone'),
    );
    expect(performance.now() - begun).toBeLessThan(timeBound(20_000));
    const before = await sizes();
    // Meanwhile one that is left would have written.
    for (let n = 0; n < 10; n++) await service.call('GET', '/api/keys/current');
    expect(await sizes()).toEqual(before);
  });

  run('are shown no folder that a link in the place of their own leads to', async () => {
    for (const name of ['.tmp', 'workspace']) {
      await rm(home(other, name), { recursive: true, force: true });
      await symlink(service.dataDir, home(other, name));
    }
    await service.call('POST', `/api/v1/sandboxes/${other.id}/resume`);
    await eventually(
      async () => expect(await service.sandbox(other.id)).toMatchObject({ status: 'RUNNING' }),
      30_000,
    );
    const again = await service.agentIn(other.id);
    expect(await again.run(`print map { "$_\\n" } glob '/tmp/* /workspace/*'`)).not.toMatch(
      /secret|sandboxes/,
    );
  });
});
