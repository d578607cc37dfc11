import { Metrics } from '../../../src/http';
/*
 * A host, as it looks from a network namespace of its own, on which the user of a sandbox has bound all ports for
 * outgoing connections. Prints what becomes of a connection before and after the service looks after it.
 * Usage: unshare -n node hoarded-host.js DATA_DIR
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AgentServerClient } from '../../../src/agent-server';
import { newId, processSpace } from '../../../src/common';
import { readSettings } from '../../../src/config';
import { SandboxDrivers } from '../../../src/sandboxes';

const UID = 1_987_654_321;
const PARTS = 16;
const PORT = 1_000;

const LOOPBACK_UP =
  'use Socket; socket(my $s, AF_INET, SOCK_DGRAM, 0) or die; my $up = pack("a16 s x14", "lo", 1); ioctl($s, 0x8914, $up) or die $!;';
const HOARD = `use Socket; $| = 1; my ($first, $last) = @ARGV;
for my $part (0 .. ${PARTS - 1}) { next if fork; my @own;
  for (my $port = $first + $part; $port <= $last; $port += ${PARTS}) {
    socket(my $tcp, AF_INET, SOCK_STREAM, 0) or die $!;
    bind($tcp, pack_sockaddr_in($port, inet_aton('127.0.9.9'))) and push @own, $tcp }
  print "taken\\n"; sleep; exit } sleep;`;

async function outcome(): Promise<string> {
  const socket = connect(PORT, '127.0.0.1');
  return new Promise((resolve) => {
    socket.on('connect', () => resolve('connected')).on('error', ({ message }) => resolve(message));
  });
}

async function main(dataDir: string): Promise<void> {
  execFileSync('perl', ['-e', LOOPBACK_UP]);
  const folder = join(dataDir, 'sandboxes', 'embedded');
  mkdirSync(folder, { recursive: true });
  const record = { pid: null, start: null, space: await processSpace(), port: 20_000, uid: UID };
  writeFileSync(join(folder, `${newId()}.json`), JSON.stringify(record));
  await once(createServer().listen(PORT, '127.0.0.1'), 'listening');

  const range = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/);
  const agent = spawn('perl', ['-e', HOARD, ...range], { uid: UID, gid: UID, cwd: '/' });
  const lines = createInterface(agent.stdout)[Symbol.asyncIterator]();
  for (let part = 0; part < PARTS; part++) await lines.next();

  const before = await outcome();
  await new SandboxDrivers(
    readSettings({ DATA_DIR: dataDir }),
    new AgentServerClient(),
    new Metrics(),
  ).keepConnecting();
  process.stdout.write(`${JSON.stringify({ before, after: await outcome() })}\n`, () => process.exit());
}

void main(process.argv[2] ?? '');
