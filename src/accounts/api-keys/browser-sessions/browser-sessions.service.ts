import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, IsNull, LessThan, Repository } from 'typeorm';
import { noteActor } from '../../../kernel/audit';
import { AuthCaches, type Caller, UnauthenticatedError, type VerifiedKey } from '../../../kernel/auth';
import { Clock, cutText, digestOf, serialId } from '../../../kernel/common';
import { isReferenceGone } from '../../../kernel/database';
import { JobHandlers } from '../../../kernel/jobs';
import { BrowserSessionNotFoundError } from '../api-keys.errors';
import type { Holds } from '../keys/stand-in-keys';
import { BrowserSession, MAX_PROVIDER_SID, MAX_USER_AGENT } from './browser-session.entity';
import { endOf, lasting, MAX_SESSIONS_OF_KEY, newSessionToken, oldestUse } from './browser-session-verifier';
import { deleteSurplusSessions } from './surplus-sessions.query';
import { boolean, dateTime, Field, integer, string } from '../../../kernel/validation';

/** A browser signed in with a key. */
export class BrowserSessionResponse {
  @Field(integer(), { description: 'Id of the session.', example: 7 })
  id!: number;

  @Field(integer(), {
    description: 'Id of the key it was started with, and with which it ends.',
    example: 12,
  })
  api_key_id!: number;

  @Field(string(), {
    nullable: true,
    description: 'What the browser said of itself.',
    example: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
  })
  user_agent!: string | null;

  @Field(dateTime(), { description: 'When it signed in.', example: '2026-11-21T09:30:00.000Z' })
  created_at!: string;

  @Field(dateTime(), { description: 'To the hour.', example: '2026-11-22T07:00:00.000Z' })
  last_used_at!: string;

  @Field(dateTime(), {
    description: 'When it ends if it is not used until then.',
    example: '2026-12-22T07:00:00.000Z',
  })
  expires_at!: string;

  @Field(boolean(), { description: 'Whether this request is one of it.', example: true })
  is_current!: boolean;
}

/** Path of operations on one session. */
export class BrowserSessionPath {
  @Field(string(), {
    description: "The session's id.",
    example: '7',
    exampleFrom: {
      get: '/api/sessions',
      list: '',
      value: 'id',
      none: 'You are signed in in no browser: sign in to the web interface, and read GET /api/sessions.',
    },
  })
  session_id!: string;
}

/** Response of `DELETE /api/sessions/{session_id}`. */
export class BrowserSessionEnded {
  @Field(string(), { description: 'One sentence for people.', example: 'The session was ended.' })
  message!: string;
}

const CLEAN_UP_SECONDS = 3_600;

/** How a provider of identities let the user of a session in. */
export interface ProviderSession {
  /** What it calls the session; null where it says nothing. */
  readonly sid: string | null;
  /** When its person proved who they are; null where it does not say. */
  readonly authenticatedAt: Date | null;
  /** Whether they are let in still. */
  readonly holds: Holds;
}

/** Sessions of browsers signed in with a key (docs/web-interface.md#sessions). */
@Injectable()
export class BrowserSessions {
  constructor(
    @InjectRepository(BrowserSession) private readonly sessions: Repository<BrowserSession>,
    private readonly caches: AuthCaches,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.every('browser-session-clean-up', CLEAN_UP_SECONDS, () => this.deleteEnded());
  }

  /**
   * Starts a session for a key.
   * @param userAgent the browser's `User-Agent`
   * @param ofProvider that of the provider of identities that let its user in; null for none
   * @returns its token, of which only the digest is stored
   * @throws UnauthenticatedError for a key that was revoked meanwhile, and whom the provider lets in no longer
   */
  async start(
    { keyId, keyExpiresAt }: Pick<VerifiedKey, 'keyId' | 'keyExpiresAt'>,
    userAgent: string | undefined,
    ofProvider: ProviderSession | null = null,
  ): Promise<string> {
    const token = newSessionToken();
    const providerSid = ofProvider?.sid ?? null;
    const session = this.sessions.create({
      apiKeyId: keyId,
      digest: digestOf(token),
      userAgent: userAgent === undefined ? null : cutText(userAgent, MAX_USER_AGENT),
      lastUsedAt: this.clock.now(),
      credentialExpiresAt: keyExpiresAt,
      providerSid: providerSid !== null && providerSid.length <= MAX_PROVIDER_SID ? providerSid : null,
      authenticatedAt: ofProvider === null ? null : (ofProvider.authenticatedAt ?? new Date(0)),
    });
    const begun = this.sessions.manager.transaction(async (transaction) => {
      await transaction.withRepository(this.sessions).insert(session);
      // Who leaves or signs out ends what there is: this is there now, or they have.
      if (ofProvider !== null && !(await ofProvider.holds(transaction))) throw new UnauthenticatedError();
    });
    await begun.catch((error: unknown) => {
      throw isReferenceGone(error) ? new UnauthenticatedError() : error;
    });
    await deleteSurplusSessions(this.sessions.manager, keyId, MAX_SESSIONS_OF_KEY);
    return token;
  }

  /** Ends the session of a token, if there is one. */
  async end(token: string): Promise<void> {
    const ended = await this.sessions.findOne({
      where: { digest: digestOf(token) },
      relations: { apiKey: true },
    });
    if (ended === null) return;
    const { userId, orgId } = ended.apiKey;
    noteActor({ userId, orgId, session: true });
    await this.delete({ id: ended.id });
  }

  /**
   * Ends the sessions that a provider of identities let somebody into: those of one session there, and of its user, where that is said,
   * those of which it named none; or all of one user.
   */
  async endOfProvider(
    identityProviderId: string,
    { sid, userId }: { readonly sid: string | null; readonly userId: string | null },
  ): Promise<void> {
    const apiKey = { identityProviderId, ...(userId !== null && { userId }) };
    const ended = await this.sessions.find({
      select: { id: true },
      where: [
        { apiKey, ...(sid !== null && { providerSid: sid }) },
        ...(sid !== null && userId !== null ? [{ apiKey, providerSid: IsNull() }] : []),
      ],
    });
    await this.sessions.delete({ id: In(ended.map(({ id }) => id)) });
    this.caches.clear();
  }

  /** The caller's sessions, most recently used first; for a bound key those of its organization's keys. */
  async list(caller: Caller): Promise<BrowserSessionResponse[]> {
    const sessions = await this.sessions.find({
      where: lasting(this.clock.now(), ownSessions(caller)),
      order: { lastUsedAt: 'DESC', id: 'DESC' },
    });
    return sessions.map((session) => toResponse(session, caller.sessionId));
  }

  /**
   * Ends a session of the caller; later requests with it are 401.
   * @throws BrowserSessionNotFoundError
   */
  async revoke(caller: Caller, idText: string): Promise<BrowserSessionEnded> {
    const id = serialId(idText);
    const session =
      id === null ? null : await this.sessions.findOne({ where: { ...ownSessions(caller), id } });
    if (session === null) throw new BrowserSessionNotFoundError();
    await this.delete({ id: session.id });
    return { message: 'The session was ended.' };
  }

  private async delete(which: FindOptionsWhere<BrowserSession>): Promise<void> {
    await this.sessions.manager.transaction((transaction) =>
      transaction.withRepository(this.sessions).delete(which),
    );
    this.caches.clear();
  }

  private async deleteEnded(): Promise<void> {
    const now = this.clock.now();
    await this.sessions.delete([
      { lastUsedAt: LessThan(oldestUse(now)) },
      { credentialExpiresAt: LessThan(now) },
    ]);
  }
}

function ownSessions({ userId, boundOrgId }: Caller): FindOptionsWhere<BrowserSession> {
  return { apiKey: { userId, ...(boundOrgId !== null && { orgId: boundOrgId }) } };
}

function toResponse(session: BrowserSession, currentId: number | undefined): BrowserSessionResponse {
  return {
    id: session.id,
    api_key_id: session.apiKeyId,
    user_agent: session.userAgent,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    expires_at: endOf(session).toISOString(),
    is_current: session.id === currentId,
  };
}
