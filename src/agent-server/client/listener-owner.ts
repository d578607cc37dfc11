import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness, networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { asIpAddress } from '../../common';

const LISTENING = '0A';
const UNSPECIFIED = new Set(['0.0.0.0', '::']);
const TRIES = 5;
const PAUSE_MS = 5;

/** A TCP socket of this host, as the kernel lists it. */
interface ListedSocket {
  readonly local: string;
  readonly remote: string;
  readonly state: string;
  readonly uid: number;
  /** 0 while no process has accepted the connection. */
  readonly inode: string;
}

/**
 * Whether the other end of a connection is a socket of a user: a port that the user's process has left may be anyone's.
 * The kernel's own list says it, so that nothing has to be sent to find out (docs/sandboxes.md#isolation).
 * @returns true also where it cannot be found out: for other hosts, and on systems without that list
 */
export async function isListenerOf(uid: number, socket: Socket): Promise<boolean> {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  if (process.platform !== 'linux') return true;
  if (!localAddress || !remoteAddress || !remotePort || !localPort) return false;
  if (!isOwnAddress(remoteAddress)) return true;
  const near = endOf(localAddress, localPort);
  const far = endOf(remoteAddress, remotePort);
  for (let n = 0; n < TRIES; n++) {
    const sockets = await listedSockets();
    const peer = sockets.find(({ local, remote }) => local === far && remote === near);
    if (peer !== undefined) return peer.inode === '0' ? allListenersAre(uid, far, sockets) : peer.uid === uid;
    // The other end appears a moment after this one.
    await sleep(PAUSE_MS);
  }
  return false;
}

/**
 * Of a connection that nobody accepted yet, the listener's user counts. The list has listeners before connections,
 * and a listener that ends takes those with it: it is the one that this connection waits at.
 */
function allListenersAre(uid: number, far: string, sockets: readonly ListedSocket[]): boolean {
  const port = far.slice(far.lastIndexOf(' '));
  const wildcards = [...UNSPECIFIED].map((address) => address + port);
  const listeners = sockets.filter(
    ({ state, local }) => state === LISTENING && (local === far || wildcards.includes(local)),
  );
  return listeners.length > 0 && listeners.every((listener) => listener.uid === uid);
}

function isOwnAddress(address: string): boolean {
  const canonical = asIpAddress(address) ?? '';
  if (ipaddr.isValid(canonical) && ipaddr.parse(canonical).range() === 'loopback') return true;
  return Object.values(networkInterfaces()).some((all) =>
    all?.some((own) => asIpAddress(own.address) === canonical),
  );
}

function endOf(address: string, port: number): string {
  return `${asIpAddress(address) ?? address} ${port}`;
}

async function listedSockets(): Promise<ListedSocket[]> {
  const texts: string[] = [];
  for (const name of ['tcp', 'tcp6']) texts.push(await readFile(`/proc/net/${name}`, 'utf8').catch(() => ''));
  return texts.flatMap((text) => text.split('\n').slice(1).flatMap(socketIn));
}

function socketIn(line: string): ListedSocket[] {
  const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
  if (!local || !remote || !state || !uid || !inode) return [];
  return [{ local: readEnd(local), remote: readEnd(remote), state, uid: Number(uid), inode }];
}

/** The kernel writes an address as words of four bytes, each in the byte order of the machine. */
function readEnd(text: string): string {
  const [address = '', port = ''] = text.split(':');
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) => {
    const inOrder = [...Buffer.from(word, 'hex')];
    return endianness() === 'LE' ? inOrder.reverse() : inOrder;
  });
  return endOf(ipaddr.fromByteArray(bytes).toString(), Number.parseInt(port, 16));
}
