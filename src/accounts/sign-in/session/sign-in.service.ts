import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { BrowserSessions, type ProviderSession, StandInKeys } from '../../api-keys';
import {
  Authentication,
  endedSessionCookie,
  kindOf,
  sessionCookie,
  sessionToken,
  UnauthenticatedError,
  type VerifiedKey,
} from '../../../kernel/auth';
import { noteActor, type NotedActor } from '../../../kernel/audit';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { FailedCredentials } from '../../../kernel/http';
import { NotAPersonError } from './not-a-person.error';

/** Signs browsers in and out (docs/web-interface.md#signing-in). */
@Injectable()
export class SignIn {
  constructor(
    private readonly authentication: Authentication,
    private readonly failed: FailedCredentials,
    private readonly sessions: BrowserSessions,
    private readonly standIns: StandInKeys,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** False where the service has no pages to sign in at. */
  get isOffered(): boolean {
    return this.settings.WEB_UI === 'on';
  }

  /**
   * Starts a session for the browser that sent a key.
   * @returns the cookie
   * @throws UnauthenticatedError, NotAPersonError, TooManyFailedCredentialsError
   */
  async signIn(request: IncomingMessage, key: string): Promise<string> {
    const holder = await this.holderOf(request, key);
    if (kindOf(holder) === 'service_account') throw new NotAPersonError();
    noteActor(actorOf(holder));
    return this.start(request, holder);
  }

  /**
   * The user of a key that somebody typed into a form.
   * @throws UnauthenticatedError, TooManyFailedCredentialsError
   */
  holderOf(request: IncomingMessage, key: string): Promise<VerifiedKey> {
    return this.failed.watch(request, `sign-in ${key}`, () => this.authentication.userOfKey(key, request));
  }

  /**
   * Starts a session for the browser of somebody who proved that their address is theirs: it reaches all their organizations.
   * @returns the cookie
   * @throws UnauthenticatedError for a disabled user
   */
  async signInByAddress(request: IncomingMessage, userId: string): Promise<string> {
    const key = await this.standIns.for(`${userId} by mail`, {
      userId,
      orgId: null,
      name: 'Sign-in by mail',
    });
    if (key === null) throw new UnauthenticatedError();
    noteActor({ userId, orgId: null, session: false });
    return this.start(request, { keyId: key.id, keyExpiresAt: key.expires_at });
  }

  /**
   * Starts a session of a key for a request's browser, in place of its previous one.
   * @param ofProvider that of the provider of identities that let its user in; null for none
   * @returns the cookie
   */
  async start(
    request: IncomingMessage,
    key: Pick<VerifiedKey, 'keyId' | 'keyExpiresAt'>,
    ofProvider: ProviderSession | null = null,
  ): Promise<string> {
    await this.endSession(request);
    const token = await this.sessions.start(key, request.headers['user-agent'], ofProvider);
    return sessionCookie(token, this.settings);
  }

  /**
   * Ends the session of a request's browser.
   * @returns a cookie header that deletes the session's
   */
  async signOut(request: IncomingMessage): Promise<string> {
    await this.endSession(request);
    return endedSessionCookie(this.settings);
  }

  private async endSession(request: IncomingMessage): Promise<void> {
    const token = sessionToken(request, this.settings);
    if (token !== null) await this.sessions.end(token);
  }
}

function actorOf({ userId, boundOrgId, currentOrgId }: VerifiedKey): NotedActor {
  return { userId, orgId: boundOrgId ?? currentOrgId, session: false };
}
