import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { AgentServerClient } from '../../../src/agent-server';
import { hasNftables, tableOf, withNftables } from '../../support/agent-server/nftables';
import { SandboxService, type SandboxRecord } from '../../support/agent-server/sandboxes';

const title = `the network of a sandbox${hasNftables ? '' : ' (needs root and nft)'}`;

function tables(): string[] {
  return spawnSync('nft', ['list', 'tables']).stdout.toString().split('\n');
}

/** The connections, as the kernel lists them, whose opening a listener has not seen the end of. */
async function halfOpenAt(port: number): Promise<string[]> {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = (await readFile('/proc/net/tcp', 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return sockets.flatMap(([, local, remote, state]) =>
    local?.endsWith(end) === true && state === '03' ? [String(remote)] : [],
  );
}

async function greeter(host: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('hello');
  }).listen(0, host);
  await once(server, 'listening');
  return server;
}

withNftables(title, () => {
  const client = new AgentServerClient();
  let service: SandboxService;
  let database: Server;
  let callback: Server;
  let own: SandboxRecord;
  let other: SandboxRecord;

  beforeAll(async () => {
    [database, callback] = await Promise.all([greeter('0.0.0.0'), greeter('127.0.0.1')]);
    service = await SandboxService.start({
      SANDBOX_DRIVER: 'embedded',
      CALLBACK_URL: `http://localhost:${portOf(callback)}`,
    });
    [own, other] = await Promise.all([service.createRunning(), service.createRunning()]);
  });

  afterAll(async () => {
    await client.onApplicationShutdown();
    database.close();
    callback.close();
    await service.stop();
  });

  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const sandboxPort = (sandbox: SandboxRecord): number => sandbox.exposed_urls![0]!.port;

  /** Runs a script of Node in the sandbox. */
  async function run(script: string): Promise<string> {
    const command = `${process.execPath} -e ${JSON.stringify(script)}`;
    const target = { baseUrl: `http://127.0.0.1:${sandboxPort(own)}`, apiKey: own.session_api_key! };
    const { stdout, stderr } = await client.workspace.executeBash(target, { command, timeoutSeconds: 60 });
    return stdout.trim() || stderr;
  }

  /** What a connection of the sandbox comes to. */
  function connect(host: string, port: number): Promise<string> {
    return run(
      `const s = require('net').connect(${port}, '${host}', () => end('connected'));` +
        `const end = (what) => { console.log(what); process.exit(); };` +
        `s.on('error', (e) => end(e.code)); setTimeout(() => end('nothing'), 3000);`,
    );
  }

  it('leads to no service on loopback, and to no other sandbox', async () => {
    expect(await connect('127.0.0.1', portOf(database))).toBe('nothing');
    expect(await connect('127.0.0.2', portOf(database))).toBe('nothing');
    expect(await connect('127.0.0.1', sandboxPort(other))).toBe('nothing');
  });

  it('leaves nothing half open, which would fill the queue of a service', async () => {
    expect(await connect('127.0.0.1', portOf(database))).toBe('nothing');
    expect(await halfOpenAt(portOf(database))).toEqual([]);
  });

  it('leads to no service at another address of the host', async () => {
    const addresses = (): string[] =>
      Object.values(networkInterfaces())
        .flatMap((all) => all ?? [])
        .filter(({ internal, family }) => !internal && family === 'IPv4')
        .map(({ address }) => address);
    for (const address of addresses()) {
      const came = await connect(address, portOf(database));
      // Those of bridges of engines that other tests run go with them.
      if (addresses().includes(address)) expect([address, came]).toEqual([address, 'nothing']);
    }
  });

  it('lets nothing but TCP through', async () => {
    const sent = await run(
      `const s = require('dgram').createSocket('udp4');` +
        `s.on('error', (e) => { console.log(e.code); process.exit(); });` +
        `s.connect(${portOf(database)}, '127.0.0.1', () => s.send('x', (e) => { console.log(e ? e.code : 'sent'); process.exit(); }));`,
    );
    expect(sent).toMatch(/^E/);
  });

  it('leads to the callback address, to its own agent server and to what it listens on itself', async () => {
    expect(await connect('127.0.0.1', portOf(callback))).toBe('connected');
    expect(await connect('127.0.0.1', sandboxPort(own))).toBe('connected');
    const itself = await run(
      `const server = require('net').createServer((s) => s.end('hi')).listen(0, '127.0.0.1', () =>` +
        `require('net').connect(server.address().port, '127.0.0.1').on('data', (b) => { console.log(String(b)); process.exit(); }));`,
    );
    expect(itself).toBe('hi');
  });

  it('tells of closed ports at once', async () => {
    const closed = await greeter('127.0.0.1');
    const port = portOf(closed);
    closed.close();
    expect(await connect('127.0.0.1', port)).toBe('ECONNREFUSED');
  });

  it('is the same after a restart, whatever a killed service left, and the table goes with the service', async () => {
    const name = tableOf(service.dataDir);
    expect(tables()).toContain(`table inet ${name}`);
    await service.restart({}, () => {
      expect(tables()).not.toContain(`table inet ${name}`);
      spawnSync('nft', ['-f', '-'], { input: `add table inet ${name}\nadd chain inet ${name} left\n` });
      expect(tables()).toContain(`table inet ${name}`);
      return Promise.resolve();
    });
    own = await service.until(own.id, 'RUNNING');
    expect(spawnSync('nft', ['list', 'table', 'inet', name]).stdout.toString()).not.toContain('chain left');
    expect(await connect('127.0.0.1', portOf(database))).toBe('nothing');
    expect(await connect('127.0.0.1', portOf(callback))).toBe('connected');
  });
});
