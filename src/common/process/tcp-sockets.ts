import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import ipaddr from 'ipaddr.js';
import { asIpAddress } from '../public-address';

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
  const texts: string[] = [];
  for (const name of ['tcp', 'tcp6']) texts.push(await readFile(`/proc/net/${name}`, 'utf8').catch(() => ''));
  return texts.flatMap((text) => text.split('\n').slice(1).flatMap(socketIn));
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
