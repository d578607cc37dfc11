import { connect } from 'node:net';
import { Logger } from '@nestjs/common';
import { endProcessesOf, openFilesByUser } from '../users/sandbox-users';

/** Nobody who has fewer files and sockets open than this is why ports are missing. */
const MANY = 1_000;

const NOBODY_LISTENS = 1;

/**
 * Ends the sandbox that most likely keeps ports from the others: the one with the most files open, since sockets that
 * are bound and do not listen are in no list. Its next health check finds it ended.
 * @param users those of the sandboxes
 * @returns whether there was one
 */
export async function endHoarder(users: Iterable<number>): Promise<boolean> {
  const counts = await openFilesByUser();
  const open = (uid: number): number => counts.get(uid) ?? 0;
  const [uid] = [...users].sort((one, other) => open(other) - open(one));
  if (uid === undefined || open(uid) < MANY) return false;
  new Logger('Sandboxes').warn(
    `The host is out of ports. The sandbox of user ${uid} is ended: it has ${open(uid)} files and sockets open.`,
  );
  return endProcessesOf(uid);
}

/**
 * Whether this host can still make connections: a port for outgoing ones that somebody is bound to, at whatever address,
 * is nobody else's.
 */
export function canConnect(): Promise<boolean> {
  return new Promise((resolve) => {
    // That nobody listens there is known at once, and as good an answer.
    const probe = connect(NOBODY_LISTENS, '127.0.0.1', () => end(true));
    const end = (answer: boolean): void => {
      probe.destroy();
      resolve(answer);
    };
    probe.on('error', (error: NodeJS.ErrnoException) => end(error.code !== 'EADDRNOTAVAIL'));
  });
}
