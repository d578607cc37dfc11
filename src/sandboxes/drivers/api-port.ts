import { tcpSockets } from '../../common';
import type { Settings } from '../../config';
import { sandboxUsers } from './processes/control-files';
import { canHaveUsers } from './isolation';
import { listenProblem } from './ports/free-port';
import { endProcessesOf, usersOfProcesses } from './users/sandbox-users';

/**
 * Ends the sandboxes that took the port of the API while the service was away, at any address: with them it could not
 * start, or whoever asks for `localhost` might come to them.
 */
export async function freeApiPort(settings: Settings, log: { warn(message: string): void }): Promise<void> {
  const { HOST, PORT } = settings;
  if (PORT === 0 || !canHaveUsers()) return;
  const sandboxes = await runningUsers(settings);
  const end = async (uid: number): Promise<void> => {
    log.warn(`The sandbox of user ${uid} is ended: it may have taken port ${PORT}.`);
    await endProcessesOf(uid);
  };
  const sockets = (await tcpSockets()).filter(({ port }) => port === PORT);
  const listening = new Set(sockets.filter(({ isListening }) => isListening).map(({ uid }) => uid));
  for (const uid of listening) if (sandboxes.has(uid)) await end(uid);
  if ([...listening].some((uid) => !sandboxes.has(uid))) return;
  // A socket that is bound and neither listens nor is connected is in no list.
  const connected = sockets.map(({ uid }) => uid);
  for (const uid of new Set([...connected, ...sandboxes])) {
    if ((await listenProblem(HOST, PORT)) !== 'EADDRINUSE') return;
    if (sandboxes.has(uid) && !listening.has(uid)) await end(uid);
  }
}

/** The users of sandboxes that have processes. */
async function runningUsers(settings: Settings): Promise<Set<number>> {
  const running = await usersOfProcesses();
  const users = (await sandboxUsers(settings)).map(({ uid }) => uid);
  return new Set(users.filter((uid) => running.has(uid)));
}
