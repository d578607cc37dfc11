import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Holds } from '../api-keys';
import { UnauthenticatedError } from '../../kernel/auth';
import { AppError } from '../../kernel/common';
import {
  type KnownProvider,
  IdentityTimes,
  isSignedOut,
  personOf,
  ProvisionedPeople,
  saysGroups,
} from '../identity-providers';
import { CLOCK_TOLERANCE_SECONDS, type TokenClaims, TokenRefusal } from './token-claims';

/** Of the service's clock, from which the provider's may differ. */
function soonAfter(time: Date): Date {
  return new Date(time.getTime() + CLOCK_TOLERANCE_SECONDS * 1_000);
}

/** 401: a token that works, of somebody who is not let in. */
class NotLetInError extends UnauthenticatedError {
  /** @param why the sentence by which a sign-in would be refused */
  constructor(why: AppError) {
    super('X-Access-Token', why.message);
  }
}

/** Whose a token is. */
export interface TokenUser {
  readonly userId: string;
  /** Who had it act for a service account; null for a person. */
  readonly madeBy: string | null;
  /** Whether it is still. */
  readonly holds: Holds;
}

/** A token that counts no more since it was looked at. */
class CountsNoMore extends Error {
  constructor(readonly refusal: string) {
    super(refusal);
  }
}

type KnownIdentity = NonNullable<Awaited<ReturnType<IdentityTimes['find']>>>;

/** What is found of somebody. @throws NotLetInError where a sign-in would be refused */
function letIn<Found>(found: Promise<Found>): Promise<Found> {
  return found.catch((error: unknown) => {
    throw error instanceof AppError && error.status < 500 ? new NotLetInError(error) : error;
  });
}

/** Says whose a token is that works (docs/provider-tokens.md#who-is-let-in). */
@Injectable()
export class TokenPeople {
  constructor(
    private readonly people: ProvisionedPeople,
    private readonly times: IdentityTimes,
  ) {}

  /**
   * The user; one who comes for the first time is made, and a token that is newer than all before it gives the role of its groups.
   * What is bound to a service account acts for that, whatever its groups; a token that is a client's own for nobody else.
   * @throws NotLetInError
   */
  async userOf(provider: KnownProvider, claims: TokenClaims): Promise<TokenUser | TokenRefusal> {
    const whose = { providerId: provider.id, subject: claims.subject };
    const identity = await this.times.find(whose);
    const refusal = await this.refusalOf(whose, identity, claims);
    if (refusal !== null) return new TokenRefusal(refusal);
    const { issuedAt } = claims;
    const boundByUserId = identity?.boundByUserId ?? null;
    try {
      const userId =
        identity !== null && boundByUserId !== null
          ? identity.userId
          : await this.personOf(provider, identity, claims);
      const holds = this.times.holding(whose, { userId, boundByUserId, issuedAt });
      return { userId, madeBy: boundByUserId, holds };
    } catch (error) {
      if (error instanceof CountsNoMore) return new TokenRefusal(error.refusal);
      throw error;
    }
  }

  /** Why a token counts no more, or for nobody; null where it does. */
  private async refusalOf(
    whose: Parameters<IdentityTimes['find']>[0],
    identity: KnownIdentity | null,
    { isOfClient, issuedAt }: TokenClaims,
    transaction: EntityManager | null = null,
  ): Promise<string | null> {
    if (isOfClient && (identity?.boundByUserId ?? null) === null) return 'it names no subject';
    if (identity === null) {
      const endedAt = await this.times.endOf(whose, transaction);
      const isOld = endedAt !== null && (issuedAt === null || issuedAt <= soonAfter(endedAt));
      return isOld ? 'its user was let in before, and is no more' : null;
    }
    return isSignedOut(identity, issuedAt) ? 'its user has signed out since' : null;
  }

  private async personOf(
    provider: KnownProvider,
    identity: KnownIdentity | null,
    claims: TokenClaims,
  ): Promise<string> {
    const { subject, issuedAt } = claims;
    if (identity !== null) {
      const { userId, claimsIssuedAt } = identity;
      const isNews = issuedAt !== null && (claimsIssuedAt === null || issuedAt > claimsIssuedAt);
      if (!isNews) {
        await letIn(this.people.assertKnown(provider, userId));
        return userId;
      }
    }
    const userId = await this.settled(provider, claims);
    if (issuedAt !== null) await this.times.noteClaims({ providerId: provider.id, subject }, issuedAt);
    return userId;
  }

  private async settled(provider: KnownProvider, claims: TokenClaims): Promise<string> {
    const { subject, all } = claims;
    const person = personOf(provider, subject, all);
    // Access tokens often say nothing of groups, which are not none.
    const groups = saysGroups(provider, all) ? person.groups : null;
    const settled = this.people.settle(provider, { ...person, groups }, (transaction) =>
      this.assertCounts({ providerId: provider.id, subject }, claims, transaction),
    );
    return (await letIn(settled)).userId;
  }

  /** Whoever has left since the token was looked at is not made a member by it again. @throws CountsNoMore */
  private async assertCounts(
    whose: Parameters<IdentityTimes['find']>[0],
    claims: TokenClaims,
    transaction: EntityManager,
  ): Promise<void> {
    const identity = await this.times.find(whose, transaction);
    const refusal = await this.refusalOf(whose, identity, claims, transaction);
    if (refusal !== null) throw new CountsNoMore(refusal);
  }
}
