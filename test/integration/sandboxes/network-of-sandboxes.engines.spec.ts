import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { namespaceProblem } from '../../../src/drivers/launch/namespaces';
import { type Agent, AttackedService } from '../../support/agent-server/attacked-service';
import { PublicHost } from '../../support/containers/public-host';
import { eventually } from '../../support/eventually';
import { describeNeeding } from '../../support/needs';

const PATIENCE_MS = 60_000;
/** What a sandbox and what passes on its network may have open. */
const MAX_OPEN = 4_096;

/** Addresses of this host, and those of its networks that reach all in them. */
function addressesOfHost(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const bytes = (text: string): number[] => text.split('.').map(Number);
  return all.flatMap(({ family, address, netmask }) => {
    if (family !== 'IPv4') return [];
    const mask = bytes(netmask);
    return [
      address,
      bytes(address)
        .map((byte, n) => byte | (255 - (mask[n] ?? 0)))
        .join('.'),
    ];
  });
}

const abstract = (name: string): string => `pack_sockaddr_un("\\0${name}")`;

describeNeeding(
  namespaceProblem() === null || process.env.CI !== undefined,
  'namespaces of users',
  'the network of a sandbox',
  () => {
    let service: AttackedService;
    let own: Agent;
    let other: Agent;

    beforeAll(async () => {
      service = await AttackedService.start();
      [own, other] = await Promise.all([service.agent(), service.agent()]);
    });
    afterAll(() => service.stop());

    it('brings no UDP to this host', async () => {
      const socket = createSocket('udp4');
      const received: string[] = [];
      socket.on('message', (message) => received.push(String(message)));
      socket.bind(0, '0.0.0.0');
      await once(socket, 'listening');
      const { port } = socket.address();
      const targets = [
        ...new Set(['127.0.0.1', '127.77.0.1', ...addressesOfHost(), '255.255.255.255', '224.0.0.1']),
      ];
      for (const target of targets)
        await own.run(
          `socket(my $udp, AF_INET, SOCK_DGRAM, 0) or die $!; setsockopt($udp, SOL_SOCKET, SO_BROADCAST, 1);` +
            `for (1 .. 3) { send($udp, 'of the agent', 0, at('${target}', ${port})) }`,
        );
      // What was on its way would be here before this.
      expect(await own.run(`print 'runs on'`)).toBe('runs on');
      socket.send('of the host', port, '127.0.0.1');
      await eventually(() => expect(received).toContain('of the host'));
      expect(received).toEqual(['of the host']);
      socket.close();
    });

    it('leads to no port and no abstract socket of another sandbox, or of this host', async () => {
      await other.leave(
        `my $tcp = bound('0.0.0.0', 4711); listen($tcp, 5) or die $!;` +
          `socket(my $unix, AF_UNIX, SOCK_STREAM, 0) or die $!; bind($unix, ${abstract('of-other')}) or die $!;` +
          `listen($unix, 5) or die $!; print "listening\\n"; sleep;`,
      );
      await eventually(async () => expect(await other.printed()).toContain('listening'));
      const host = createServer().listen('\0of-host');
      await once(host, 'listening');
      const connects = (socket: string, where: string): string =>
        `socket(my $to, ${socket}, SOCK_STREAM, 0) or die $!; print connect($to, ${where}) ? 'connected' : $!;`;
      for (const [socket, where] of [
        ['AF_UNIX', abstract('of-other')],
        ['AF_INET', `at('127.0.0.1', 4711)`],
      ] as const) {
        expect(await other.run(connects(socket, where))).toBe('connected');
        expect(await own.run(connects(socket, where))).toBe('Connection refused');
      }
      expect(await own.run(connects('AF_UNIX', abstract('of-host')))).toBe('Connection refused');
      host.close();
    });

    it('has a limited number of connections to this host, and other sandboxes have theirs', async () => {
      const callbackPort = Number(await readFile(join(service.dataDir, 'callback-port'), 'utf8'));
      const end = `:${callbackPort.toString(16).toUpperCase().padStart(4, '0')}`;
      const connections = async (): Promise<number> =>
        (await readFile('/proc/net/tcp', 'utf8'))
          .split('\n')
          .map((line) => line.trim().split(/\s+/))
          .filter(([, local, , state]) => local?.endsWith(end) === true && state === '01').length;
      await own.leave(
        `for (1 .. 2) { next if fork; my @open; for (1 .. 3000) { my $one = tcp('127.0.0.1');` +
          `connect($one, at('127.0.0.1', ${service.port})) or last; push @open, $one } print "open\\n"; sleep } sleep;`,
      );
      await eventually(async () => expect(await connections()).toBeGreaterThan(100), PATIENCE_MS);
      const ask =
        `my $tcp = tcp('127.0.0.1'); connect($tcp, at('127.0.0.1', ${service.port})) or die $!;` +
        `syswrite $tcp, "GET /alive HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n"; print while <$tcp>;`;
      // While they come in, the service may not take another connection within the time that one is waited for.
      await eventually(async () => expect(await other.run(ask)).toMatch(/^HTTP\/1.1 200 /), PATIENCE_MS);
      expect((await service.call('GET', '/api/keys/current')).status).toBe(200);
      expect(await connections()).toBeLessThan(MAX_OPEN);
    });

    it('leads to other hosts, unless SANDBOX_INTERNET is off, and always to the service', async () => {
      const host = await PublicHost.start(`net${process.pid}`);
      const { hostname, port } = new URL(host.url);
      const closed = await AttackedService.start({ SANDBOX_INTERNET: 'off', MODEL_GATEWAY: 'on' });
      const connects = (where: string, to: string | number): string =>
        `socket(my $to, AF_INET, SOCK_STREAM, 0) or die $!; print connect($to, at('${where}', ${to})) ? 'connected' : $!;`;
      try {
        const kept = await closed.agent();
        expect(await other.run(connects(hostname, port))).toBe('connected');
        expect(await kept.run(connects(hostname, port))).toMatch(/^(?:No route to host|Permission denied)$/);
        expect(await kept.run(connects('127.0.0.1', closed.port))).toBe('connected');
      } finally {
        await closed.stop();
        await host.stop();
      }
    });
  },
);
