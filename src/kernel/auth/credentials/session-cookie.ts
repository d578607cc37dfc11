import type { IncomingMessage } from 'node:http';
import { publicUrl, type Settings } from '../../config';
import { SessionOfSandboxError } from '../identity/auth.errors';
import type { Socket } from 'node:net';

/** By connection, the user of this host whose it is. */
const connections = new WeakMap<Socket, number | null>();

/**
 * Says that a connection comes from a sandbox: whatever is sent on it, no session counts (docs/sandboxes.md#calls-of-sandboxes).
 * @param user of this host, by which sandboxes of root are distinguished; null where that is not known
 */
export function noteCallsOfSandbox(connection: Socket, user: number | null): void {
  connections.set(connection, user);
}

/** Whether a request comes from a sandbox. */
export function isCallOfSandbox({ socket }: IncomingMessage): boolean {
  return connections.has(socket);
}

/** The user of this host whose sandbox a request comes from; null where that is not known. */
export function userOfSandbox({ socket }: IncomingMessage): number | null {
  return connections.get(socket) ?? null;
}

/** Browsers keep it as long as they may; the service knows when the session ends. */
const MAX_AGE_SECONDS = 400 * 24 * 3_600;

/**
 * The token of the session that a browser's cookie names.
 * @returns null where there is no such cookie, or several: whoever planted the other one is not to choose
 * @throws SessionOfSandboxError
 */
export function sessionToken(request: IncomingMessage, settings: Settings): string | null {
  const start = `${nameOf(settings)}=`;
  const tokens = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  const [only] = tokens;
  if (only !== undefined && isCallOfSandbox(request)) throw new SessionOfSandboxError();
  return only === undefined || tokens.length > 1 ? null : only.slice(start.length);
}

/** The value of `Set-Cookie` that gives a browser its session. */
export function sessionCookie(token: string, settings: Settings): string {
  return cookie(token, MAX_AGE_SECONDS, settings);
}

/** The value of `Set-Cookie` that takes a browser's session away. */
export function endedSessionCookie(settings: Settings): string {
  return cookie('', 0, settings);
}

function cookie(value: string, maxAge: number, settings: Settings): string {
  const secure = isSecure(settings) ? '; Secure' : '';
  return `${nameOf(settings)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** With this prefix, browsers take the cookie from the host itself only, and over https only. */
function nameOf(settings: Settings): string {
  return isSecure(settings) ? '__Host-ocs_session' : 'ocs_session';
}

function isSecure(settings: Settings): boolean {
  return publicUrl(settings).startsWith('https:');
}
