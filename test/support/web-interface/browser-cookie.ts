import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { BrowserSessions } from '../../../src/accounts/api-keys';
import { Authentication } from '../../../src/kernel/auth';
import type { TestApp } from '../service/app';
import { call } from '../service/http';

/** What a browser says of a request that a page of the service makes. */
export const FROM_OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' };

/**
 * Signs in as the form of the sign-in page does.
 * @returns the value of `Cookie` for later requests
 */
export async function signInByForm(server: { readonly url: string }, key: string): Promise<string> {
  const { headers } = await call(server, 'POST', '/login', {
    raw: new URLSearchParams({ key }).toString(),
    headers: { ...FROM_OWN_PAGE, 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const [cookie] = headers['set-cookie'] ?? [];
  if (cookie === undefined) throw new Error('Nobody was signed in.');
  return cookie.split(';', 1)[0] ?? '';
}

/**
 * Signs in where there is no web interface.
 * @param address from which the key comes
 * @returns the value of `Cookie` for later requests
 */
export async function startSession({ app }: TestApp, key: string, address = '127.0.0.1'): Promise<string> {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const user = await app.get(Authentication).userOfKey(key, new IncomingMessage(socket));
  return `ocs_session=${await app.get(BrowserSessions).start(user, 'A browser')}`;
}
