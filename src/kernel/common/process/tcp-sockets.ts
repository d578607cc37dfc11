import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import ipaddr from 'ipaddr.js';
import { asIpAddress } from '../network/public-address';

const LISTENING = '0A';
const LOCAL_PORT = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) /;

/** A TCP socket of this host, as the kernel lists it; ends are written as `endOf` does. */
export interface TcpSocket {
  readonly local: string;
  readonly remote: string;
  readonly port: number;
  readonly isListening: boolean;
  readonly uid: number;
  /** 0 while no process has accepted the connection. */
  readonly inode: string;
}

/** The kernel's lines, by the port of this end, listeners first. */
type Listed = ReadonlyMap<string, readonly string[]>;

let reading: Promise<unknown> = Promise.resolve();
/** What is read next, for all who ask until it begins. */
let next: Promise<Listed> | null = null;

/**
 * Those sockets of this host that may be the other end of a connection, and the listeners at its port; none on systems without the list
 * of Linux. A host has thousands, and whoever opens many at once would have all of them read for each: who asks while the list is read
 * shares the next one.
 */
export async function otherEndsOf(nearPort: number, farPort: number): Promise<TcpSocket[]> {
  const near = portText(nearPort);
  const lines = (await listed()).get(portText(farPort)) ?? [];
  return lines
    .filter((line) => line.includes(`:${near} `) || line.includes(` ${LISTENING} `))
    .flatMap(socketIn);
}

/** The user of the other end of a connection; null where it is not on this host, or cannot be found out. */
export async function userAtOtherEnd(connection: Socket): Promise<number | null> {
  const { localAddress, localPort, remoteAddress, remotePort } = connection;
  if (!localAddress || !localPort || !remoteAddress || !remotePort) return null;
  const [near, far] = [endOf(localAddress, localPort), endOf(remoteAddress, remotePort)];
  const found = await otherEndsOf(localPort, remotePort);
  return found.find(({ local, remote }) => local === far && remote === near)?.uid ?? null;
}

/** As the kernel says it from now on. */
function listed(): Promise<Listed> {
  if (next === null) {
    next = reading.then(() => {
      next = null;
      return readList();
    });
    // Kept no longer than those who asked need it.
    reading = next.then(() => undefined);
  }
  return next;
}

async function readList(): Promise<Listed> {
  const byPort = new Map<string, string[]>();
  for (const name of ['tcp', 'tcp6']) {
    const text = await readFile(`/proc/net/${name}`, 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      const port = LOCAL_PORT.exec(line)?.[1];
      if (port === undefined) continue;
      const lines = byPort.get(port);
      if (lines === undefined) byPort.set(port, [line]);
      else lines.push(line);
    }
  }
  return byPort;
}

/** A port as the kernel lists it. */
function portText(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/** One end of a connection: an address, in the one way that it is written, and a port. */
export function endOf(address: string, port: number): string {
  return `${asIpAddress(address) ?? address} ${port}`;
}

function socketIn(line: string): TcpSocket[] {
  const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
  if (!local || !remote || !state || !uid || !inode) return [];
  const [near, far] = [readEnd(local), readEnd(remote)];
  return [
    {
      local: endOf(near.address, near.port),
      port: near.port,
      remote: endOf(far.address, far.port),
      isListening: state === LISTENING,
      uid: Number(uid),
      inode,
    },
  ];
}

/** The kernel writes an address as words of four bytes, each in the byte order of the machine. */
function readEnd(text: string): { address: string; port: number } {
  const [address = '', port = ''] = text.split(':');
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) => {
    const inOrder = [...Buffer.from(word, 'hex')];
    return endianness() === 'LE' ? inOrder.reverse() : inOrder;
  });
  return { address: ipaddr.fromByteArray(bytes).toString(), port: Number.parseInt(port, 16) };
}
