import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import ipaddr from 'ipaddr.js';
import { asIpAddress } from '../network/public-address';

const LISTENING = '0A';

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

/** All TCP sockets of this host, listeners first; none on systems without the list of Linux. */
export async function tcpSockets(): Promise<TcpSocket[]> {
  return (await listedLines()).flatMap(socketIn);
}

/**
 * Those of {@link tcpSockets} that may be the other end of a connection, and the listeners at its port: a host has
 * thousands, and reading all of them for each connection would take longer than the connection.
 */
export async function otherEndsOf(nearPort: number, farPort: number): Promise<TcpSocket[]> {
  const [near, far] = [portText(nearPort), portText(farPort)];
  const isWanted = (line: string): boolean =>
    line.includes(far) && (line.includes(near) || line.includes(` ${LISTENING} `));
  return (await listedLines()).filter(isWanted).flatMap(socketIn);
}

/** The user of the other end of a connection; null where it is not on this host, or cannot be found out. */
export async function userAtOtherEnd(connection: Socket): Promise<number | null> {
  const { localAddress, localPort, remoteAddress, remotePort } = connection;
  if (!localAddress || !localPort || !remoteAddress || !remotePort) return null;
  const [near, far] = [endOf(localAddress, localPort), endOf(remoteAddress, remotePort)];
  const found = await otherEndsOf(localPort, remotePort);
  return found.find(({ local, remote }) => local === far && remote === near)?.uid ?? null;
}

async function listedLines(): Promise<string[]> {
  const texts: string[] = [];
  for (const name of ['tcp', 'tcp6']) texts.push(await readFile(`/proc/net/${name}`, 'utf8').catch(() => ''));
  return texts.flatMap((text) => text.split('\n').slice(1));
}

/** A port as the kernel lists it. */
function portText(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
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
