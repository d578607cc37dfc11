import type { TestApp } from '../service/app';
import { call, type HttpResponse } from '../service/http';
import { FROM_OWN_PAGE } from '../web-interface/browser-cookie';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** What begins a login. */
export interface BegunLogin {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** A key, or why there is none. */
export interface TokenAnswer {
  readonly access_token?: string;
  readonly token_type?: string;
  readonly expires_in?: number;
  readonly scope?: string;
  readonly error?: string;
  readonly error_description?: string;
  readonly interval?: number;
  readonly code?: string;
}

type Server = Pick<TestApp, 'url'>;
type Fields = Readonly<Record<string, string>>;

/** Sends a form as OAuth has it, without any credential. */
export function sendOAuth<Body>(
  server: Server,
  path: 'authorize' | 'token',
  fields: Fields,
  headers: Fields = {},
): Promise<HttpResponse<Body>> {
  const raw = new URLSearchParams(fields).toString();
  return call(server, 'POST', `/oauth/device/${path}`, { raw, headers: { ...FORM, ...headers } });
}

/** Begins a login. */
export async function beginLogin(
  server: Server,
  fields: Fields = { client_id: 'Acme command line' },
): Promise<BegunLogin> {
  const { status, body } = await sendOAuth<BegunLogin>(server, 'authorize', fields);
  if (status !== 200) throw new Error(`No login began: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Asks for the key. */
export function poll(
  server: Server,
  { device_code }: Pick<BegunLogin, 'device_code'>,
): Promise<HttpResponse<TokenAnswer>> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  return sendOAuth(server, 'token', { grant_type, device_code });
}

/** Sends a form of the pages for people. @param cookie of the browser's session */
export function sendPageForm(
  server: Server,
  cookie: string,
  path: '/oauth/device/verify' | '/oauth/device/verify-authenticated',
  fields: Fields,
  headers: Fields = FROM_OWN_PAGE,
): Promise<HttpResponse<string>> {
  const raw = new URLSearchParams(fields).toString();
  return call(server, 'POST', path, { raw, headers: { ...FORM, ...headers, Cookie: cookie } });
}

/** Approves a login as the page does. @param choice other fields, such as how long the key works */
export function approve(
  server: Server,
  cookie: string,
  { user_code }: Pick<BegunLogin, 'user_code'>,
  choice: Fields,
): Promise<HttpResponse<string>> {
  const fields = { user_code, decision: 'approve', days: '90', ...choice };
  return sendPageForm(server, cookie, '/oauth/device/verify-authenticated', fields);
}
