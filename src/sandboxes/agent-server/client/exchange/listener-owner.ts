import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { asIpAddress, endOf, type TcpSocket, otherEndsOf } from '../../../../kernel/common';

const UNSPECIFIED = new Set(['0.0.0.0', '::']);
const TRIES = 5;
const PAUSE_MS = 5;

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
    const sockets = await otherEndsOf(localPort, remotePort);
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
function allListenersAre(uid: number, far: string, sockets: readonly TcpSocket[]): boolean {
  const port = far.slice(far.lastIndexOf(' '));
  const wildcards = [...UNSPECIFIED].map((address) => address + port);
  const listeners = sockets.filter(
    ({ isListening, local }) => isListening && (local === far || wildcards.includes(local)),
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
