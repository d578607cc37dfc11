import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { digestOf } from '../../common';
import { SETTINGS, type Settings, publicUrl } from '../../config';
import { AuthCaches } from './auth-caches';
import { clientAddress } from './client-address';
import { ServiceAccessOffError, TicketRefusedError, UnauthenticatedError } from '../identity/auth.errors';
import { isCallOfSandbox, sessionToken } from './session-cookie';
import {
  CredentialVerifier,
  DirectoryCredentialVerifier,
  SandboxCredentialVerifier,
  SessionVerifier,
  TicketRedeemer,
  type VerifiedKey,
} from '../identity/ports';
import type { DirectoryCaller, SandboxCaller } from '../identity/principal';

const SAFE_METHODS: readonly (string | undefined)[] = ['GET', 'HEAD'];

/**
 * Whether a page of the service, or a person at the address bar, made the browser send a request
 * (docs/web-interface.md#when-a-cookie-counts). Browsers say so with `Sec-Fetch-Site`, over plain http to another
 * machine only by `Origin`, and there of reading requests not at all; whoever says neither may read, since no page of
 * another origin gets to see the response.
 */
export function isOwnPage({ method, headers }: IncomingMessage, settings: Settings): boolean {
  const site = headers['sec-fetch-site'];
  const isSafe = SAFE_METHODS.includes(method);
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isSafe);
  const { origin, host } = headers;
  if (origin === undefined) return isSafe;
  return origin === new URL(publicUrl(settings)).origin || hostOf(origin) === host;
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

const BEARER = /^bearer(?: +|$)/i;

/**
 * The key a request carries: the first of `X-Access-Token`, `Authorization: Bearer` and
 * `X-Session-API-Key` that is present counts, even if it turns out to be invalid
 * (docs/contract.md#credentials).
 * @returns null when there is none
 */
function presentedKey(headers: IncomingHttpHeaders): string | null {
  const token = headers['x-access-token'];
  if (token !== undefined) return single(token);
  return bearerToken(headers) ?? sessionKey(headers);
}

/** What a request carries as `Authorization: Bearer`; null for nothing. */
function bearerToken({ authorization }: IncomingHttpHeaders): string | null {
  if (authorization === undefined || !BEARER.test(authorization)) return null;
  return authorization.replace(BEARER, '').trim();
}

/** The session key of an agent server's call; null when there is none. */
export function sessionKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['x-session-api-key'];
  return key === undefined ? null : single(key);
}

/** The key of another service; null when there is none. */
function serviceKey(headers: IncomingHttpHeaders): string | null {
  const key = headers['x-service-api-key'];
  return key === undefined ? null : single(key);
}

function single(value: string | string[]): string {
  return typeof value === 'string' ? value : (value[0] ?? '');
}

/** The token of a request's session, whatever has become of it; null for none. */
function cookieOf(request: IncomingMessage, settings: Settings): string | null {
  return isCallOfSandbox(request) ? null : sessionToken(request, settings);
}

/** The owner of the key of a request. */
export type KeyHolder = { readonly user: VerifiedKey } | { readonly sandbox: SandboxCaller };

/** Authenticates callers from the headers alone. */
@Injectable()
export class Authentication {
  private readonly logger = new Logger(Authentication.name);

  constructor(
    private readonly keys: CredentialVerifier,
    private readonly sessionKeys: SandboxCredentialVerifier,
    private readonly sessions: SessionVerifier,
    private readonly tickets: TicketRedeemer,
    private readonly directories: DirectoryCredentialVerifier,
    private readonly caches: AuthCaches,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * The user of a request's key; of a request without one, the user who is signed in in the browser that sent it, where
   * a page of the service made it do so (docs/web-interface.md#when-a-cookie-counts).
   * @throws UnauthenticatedError, SessionOfSandboxError
   */
  caller(request: IncomingMessage): Promise<VerifiedKey> {
    const key = presentedKey(request.headers);
    return key === null ? this.signedIn(request) : this.userOfKey(key, request);
  }

  /**
   * Who is signed in in the browser that sent a request, where a page of the service made it do so.
   * @throws UnauthenticatedError, SessionOfSandboxError
   */
  private async signedIn(request: IncomingMessage): Promise<VerifiedKey> {
    const user = isOwnPage(request, this.settings) ? await this.visitor(request) : null;
    if (user === null) throw new UnauthenticatedError();
    return user;
  }

  /** The digest of what a request carries, a key before a session, by which it is found; null for nothing. */
  presentedDigest(request: IncomingMessage): string | null {
    const sent = presentedKey(request.headers) ?? cookieOf(request, this.settings);
    return sent === null ? null : digestOf(sent);
  }

  /** Whether a request carries a session, of somebody or nobody, that would count. @throws SessionOfSandboxError */
  bringsSession(request: IncomingMessage): boolean {
    return isOwnPage(request, this.settings) && sessionToken(request, this.settings) !== null;
  }

  /**
   * Who is signed in in the browser that sent a request, whatever made it do so: only for pages that show nothing of
   * theirs to anybody else, and change nothing.
   * @returns null for nobody
   * @throws SessionOfSandboxError
   */
  async visitor(request: IncomingMessage): Promise<VerifiedKey | null> {
    const token = sessionToken(request, this.settings);
    if (token === null) return null;
    const user = await this.caches.sessions.get(digestOf(token), () => this.sessions.verify(token));
    return this.fromWhereItCounts(user, request);
  }

  /**
   * The user whose key, or session, made a ticket; uses it up.
   * @param subject what the ticket has to be for
   * @param request the one that brings it
   * @throws TicketRefusedError also when the key works no longer, or the session has ended
   */
  async ticketHolder(ticket: string, subject: string, request: IncomingMessage): Promise<VerifiedKey> {
    const maker = await this.tickets.redeem(ticket, subject);
    if (maker === null) throw new TicketRefusedError();
    const { keyId, sessionId, keyExpiresAt } = maker;
    const user = this.fromWhereItCounts(await this.keys.holderOf(keyId), request);
    const lasts = sessionId === null || (await this.sessions.lasting([sessionId])).has(sessionId);
    if (user === null || !lasts) throw new TicketRefusedError();
    return { ...user, keyExpiresAt, ...(sessionId !== null && { sessionId }) };
  }

  /**
   * The user of a key, in whatever way it came with a request.
   * @throws UnauthenticatedError, CredentialVerifierUnavailableError
   */
  async userOfKey(key: string, request: IncomingMessage): Promise<VerifiedKey> {
    const verified = await this.userOf(key, request);
    if (verified === null) throw new UnauthenticatedError();
    return verified;
  }

  /** @throws UnauthenticatedError */
  async sandbox(headers: IncomingHttpHeaders): Promise<SandboxCaller> {
    const key = sessionKey(headers);
    const verified = key === null ? null : await this.sandboxOf(key);
    if (verified === null) throw new UnauthenticatedError('X-Session-API-Key');
    return verified;
  }

  /**
   * Asserts that a request comes from another service that the operator gave a key.
   * @throws ServiceAccessOffError, UnauthenticatedError
   */
  service(headers: IncomingHttpHeaders): void {
    const expected = this.settings.SERVICE_API_KEY;
    const given = serviceKey(headers);
    if (given === null) throw new UnauthenticatedError('X-Service-API-Key');
    if (expected === undefined) throw new ServiceAccessOffError();
    if (!timingSafeEqual(Buffer.from(digestOf(given)), Buffer.from(digestOf(expected))))
      throw new UnauthenticatedError('X-Service-API-Key');
  }

  /**
   * The directory whose token a request carries as `Authorization: Bearer`; no other header counts.
   * @throws UnauthenticatedError
   */
  async directory(headers: IncomingHttpHeaders): Promise<DirectoryCaller> {
    const token = bearerToken(headers);
    const verified = token === null ? null : await this.directories.verify(token);
    if (verified === null)
      throw new UnauthenticatedError(
        'Authorization',
        'A valid SCIM token is required in the Authorization header.',
      );
    return verified;
  }

  /**
   * A user by any of their credentials, or a sandbox by its own key in `X-Session-API-Key`.
   * @param headers those of the request, or a key sent another way, as `x-session-api-key`
   * @throws UnauthenticatedError
   */
  async userOrSandbox(request: IncomingMessage, headers: IncomingHttpHeaders): Promise<KeyHolder> {
    const key = presentedKey(headers);
    if (key === null) return { user: await this.caller(request) };
    const user = await this.userOf(key, request);
    if (user !== null) return { user };
    const sandbox = key === sessionKey(headers) ? await this.sandboxOf(key) : null;
    if (sandbox === null) throw new UnauthenticatedError();
    return { sandbox };
  }

  private async userOf(key: string, request: IncomingMessage): Promise<VerifiedKey | null> {
    const { headers } = request;
    const decisive = this.keys.decisive(key, headers);
    const asked = decisive === '' ? key : `${key}\0${decisive}`;
    const user = await this.caches.users.get(digestOf(asked), () => this.keys.verify(key, headers));
    return this.fromWhereItCounts(user, request);
  }

  /** Null for a key that does not count at the address of a request: the answer is that of a key that does not work. */
  private fromWhereItCounts(user: VerifiedKey | null, request: IncomingMessage): VerifiedKey | null {
    if (user === null || user.addresses === null) return user;
    const address = clientAddress(request);
    if (user.addresses.has(address)) return user;
    const { keyId, userId, boundOrgId: organization } = user;
    this.logger.warn(
      { keyId, user: userId, organization, address },
      'A key was sent from an address at which it does not count',
    );
    return null;
  }

  private sandboxOf(key: string): Promise<SandboxCaller | null> {
    return this.caches.sandboxes.get(digestOf(key), () => this.sessionKeys.verify(key));
  }
}
