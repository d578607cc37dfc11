import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { BrowserSessions, StandInKeys } from '../../api-keys';
import {
  type KnownProvider,
  IdentityTimes,
  isSignedOut,
  LogoutTokens,
  ProvisionedPeople,
  type SignedIn,
} from '../../identity-providers';
import { noteActor } from '../../../kernel/audit';
import { UnauthenticatedError } from '../../../kernel/auth';
import { SignIn } from '../session/sign-in.service';

/** Sessions of browsers whose users providers of identities let in. */
@Injectable()
export class ProviderSessions {
  constructor(
    private readonly people: ProvisionedPeople,
    private readonly standIns: StandInKeys,
    private readonly signIn: SignIn,
    private readonly sessions: BrowserSessions,
    private readonly logoutTokens: LogoutTokens,
    private readonly times: IdentityTimes,
  ) {}

  /**
   * Starts a session for whom a provider has signed in.
   * @returns the cookie
   * @throws UnauthenticatedError for a disabled user, and one who has left or signed out at the provider since; and what {@link ProvisionedPeople.settle} throws
   */
  async start(
    request: IncomingMessage,
    provider: KnownProvider,
    { person, issuedAt, sid, authenticatedAt }: SignedIn,
  ): Promise<string> {
    const whose = { providerId: provider.id, subject: person.subject };
    const identity = await this.times.find(whose);
    if (identity !== null && isSignedOut(identity, issuedAt)) throw new UnauthenticatedError();
    const { userId, orgId } = await this.people.settle(provider, person);
    await this.times.noteClaims(whose, issuedAt);
    const holds = this.times.holding(whose, { userId, boundByUserId: null, issuedAt });
    const key = await this.standIns.for(`${userId} by provider ${provider.id}`, {
      userId,
      orgId,
      name: provider.name,
      identityProviderId: provider.id,
      holds,
    });
    if (key === null) throw new UnauthenticatedError();
    noteActor({ userId, orgId, session: false });
    return this.signIn.start(
      request,
      { keyId: key.id, keyExpiresAt: key.expires_at },
      { sid, authenticatedAt, holds },
    );
  }

  /**
   * Ends those of who signed out at a provider: of one session there, or of a person; and the access tokens of a person.
   * @throws LogoutTokenInvalidError, ProviderProblem
   */
  async end(provider: KnownProvider, logoutToken: string): Promise<void> {
    const { id: providerId } = provider;
    await this.logoutTokens.follow(provider, logoutToken, async ({ subject, sid, issuedAt }) => {
      let userId: string | null = null;
      if (subject !== null) {
        await this.times.noteSignOut({ providerId, subject }, issuedAt);
        userId = (await this.times.find({ providerId, subject }))?.userId ?? null;
        if (userId === null) return;
      }
      await this.sessions.endOfProvider(providerId, { sid, userId });
    });
  }
}
