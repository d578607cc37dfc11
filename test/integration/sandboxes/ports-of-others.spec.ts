import { connect } from 'node:net';
import { type Agent, AttackedService } from '../../support/agent-server/attacked-service';
import { withNftables } from '../../support/agent-server/nftables';
import { eventually } from '../../support/eventually';
import { freePort } from '../../support/service/free-port';

/** Longer than the first packet of a connection waits to be sent again. */
const PATIENCE_MS = 2_500;

/** What a client of this host that sends a secret comes to. */
function send(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => end('connected'));
    const end = (what: string): void => {
      clearTimeout(patience);
      socket.end('X-Access-Token: hidden', () => resolve(what));
    };
    const patience = setTimeout(() => {
      socket.destroy();
      resolve('nothing');
    }, PATIENCE_MS);
    socket.on('error', () => {
      clearTimeout(patience);
      resolve('refused');
    });
  });
}

withNftables('an agent that listens where others are expected', () => {
  let service: AttackedService;
  let agent: Agent;

  beforeAll(async () => {
    service = await AttackedService.start();
  });

  beforeEach(async () => {
    agent = await service.agent();
  });

  afterAll(() => service.stop());

  async function leave(program: string): Promise<void> {
    await agent.leave(program);
    await eventually(async () => expect(await agent.printed()).toContain('listening'));
  }

  it('gets no connection at ::1, at the port of the service', async () => {
    await leave(`my $tcp = bound('::1', ${service.port}); listen($tcp, 5) or die $!; serve($tcp);`);
    expect(await send('::1', service.port)).toBe('nothing');
    await eventually(async () => expect(await send('127.0.0.1', service.port)).toBe('connected'));
    expect(await agent.printed()).toBe('listening\n');
  });

  it('gets none at a port of its own choice, from others on the host, sandboxes among them', async () => {
    const port = await freePort();
    await leave(`my $tcp = bound('0.0.0.0', ${port}); listen($tcp, 5) or die $!; serve($tcp);`);
    expect(await send('127.0.0.1', port)).toBe('nothing');
    const other = await service.agent();
    const text = await other.run(
      `my $tcp = tcp('127.0.0.1'); local $SIG{ALRM} = sub { print 'nothing'; exit }; alarm 3;` +
        `print connect($tcp, at('127.0.0.1', ${port})) ? 'connected' : $!;`,
    );
    expect(text).toBe('nothing');
    expect(await agent.printed()).toBe('listening\n');
    await eventually(async () => expect(await send('127.0.0.1', agent.port)).toBe('connected'));
  });

  it('gets none either when its queue is full, and the kernel answers for it', async () => {
    const port = await freePort();
    // Connections of its own that send nothing stay in the queue.
    await leave(
      `my $tcp = bound('127.0.0.1', ${port}); setsockopt($tcp, IPPROTO_TCP, TCP_DEFER_ACCEPT, 600) or die $!;` +
        `listen($tcp, 1) or die $!; my @own; for (1 .. 2) { my $own = tcp('127.0.0.1');` +
        `connect($own, at('127.0.0.1', ${port})) or die $!; push @own, $own } serve($tcp);`,
    );
    expect(await send('127.0.0.1', port)).toBe('nothing');
    expect(await agent.printed()).toBe('listening\n');
  });

  it('gets none while the service is away, and is ended when the service is back', async () => {
    await agent.leave(
      `my $tcp = bound('127.0.0.1', ${service.port}); listen($tcp, 5) or die $!; serve($tcp);`,
    );
    await service.kill();
    await eventually(async () => expect(await agent.printed()).toContain('listening'));
    expect(await send('127.0.0.1', service.port)).toBe('nothing');
    expect(await agent.printed()).toBe('listening\n');
    await service.begin();
    expect((await service.call('GET', '/api/keys/current')).status).toBe(200);
    await eventually(() => expect(service.log).toContain(`The sandbox of user ${agent.uid} is ended`));
    await eventually(async () => expect(await service.sandbox(agent.id)).toMatchObject({ status: 'ERROR' }));
  });

  it('keeps no service from starting by a port that it has and does not listen at', async () => {
    await agent.leave(
      `my $tcp = bound('127.0.0.1', ${service.port}); setsockopt($tcp, SOL_SOCKET, SO_REUSEADDR, 0);` +
        `print "bound\\n"; sleep;`,
    );
    await service.kill();
    await eventually(async () => expect(await agent.printed()).toContain('bound'));
    await service.begin();
    expect((await service.call('GET', '/api/keys/current')).status).toBe(200);
    await eventually(() => expect(service.log).toContain(`The sandbox of user ${agent.uid} is ended`));
  });
});
