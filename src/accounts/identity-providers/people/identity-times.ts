import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, In, Repository } from 'typeorm';
import { ExternalKeys, type Holds } from '../../api-keys';
import { AuthCaches } from '../../../kernel/auth';
import { EndedIdentity } from '../record/ended-identity.entity';
import { UserIdentity } from '../record/user-identity.entity';
import { moveIdentityTime } from './identities.query';

/** Who is meant at a provider. */
type Subject = Pick<UserIdentity, 'providerId' | 'subject'>;

/** As which user somebody was found. */
interface Found extends Pick<UserIdentity, 'userId' | 'boundByUserId'> {
  /** When the token was issued that says who they are; null where it does not say. */
  readonly issuedAt: Date | null;
}

/** Whether a token counts no more, as its user has signed out at the provider since. */
export function isSignedOut({ signedOutAt }: UserIdentity, issuedAt: Date | null): boolean {
  return issuedAt !== null && signedOutAt !== null && issuedAt <= signedOutAt;
}

/**
 * How new what is known of identities is. All times are those of the provider's own clock, as its tokens have them, and only
 * move forward.
 */
@Injectable()
export class IdentityTimes {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(UserIdentity) private readonly identities: Repository<UserIdentity>,
    @InjectRepository(EndedIdentity) private readonly endedIdentities: Repository<EndedIdentity>,
    private readonly external: ExternalKeys,
    private readonly caches: AuthCaches,
  ) {}

  /**
   * Null for nobody's.
   * @param transaction until it ends, nobody changes what is found
   */
  find(
    { providerId, subject }: Subject,
    transaction: EntityManager | null = null,
  ): Promise<UserIdentity | null> {
    const where = { providerId, subject };
    if (transaction === null) return this.identities.findOneBy(where);
    const lock = { mode: 'pessimistic_read' as const };
    return transaction.withRepository(this.identities).findOne({ where, lock });
  }

  /** Whether somebody is still the user as whom they were found, and has not signed out since. */
  holding(whose: Subject, { userId, boundByUserId, issuedAt }: Found): Holds {
    return async (transaction) => {
      const identity = await this.find(whose, transaction);
      const isSame = identity?.userId === userId && identity.boundByUserId === boundByUserId;
      return isSame && !isSignedOut(identity, issuedAt);
    };
  }

  /** When somebody was no user any more whom a provider had known; null where that has never been. */
  async endOf(
    { providerId, subject }: Subject,
    transaction: EntityManager | null = null,
  ): Promise<Date | null> {
    const ended = transaction?.withRepository(this.endedIdentities) ?? this.endedIdentities;
    return (await ended.findOneBy({ providerId, subject }))?.endedAt ?? null;
  }

  /** At which of some providers somebody is known by a subject. */
  async providersKnowing(providerIds: readonly string[], subject: string): Promise<string[]> {
    const found = await this.identities.findBy({ providerId: In(providerIds), subject });
    return found.map(({ providerId }) => providerId);
  }

  /** Notes that the groups of a token have been looked at: older tokens say nothing new. */
  async noteClaims(whose: Subject, issuedAt: Date): Promise<void> {
    await moveIdentityTime(this.database.manager, 'claims_issued_at', whose, issuedAt);
  }

  /** Ends the access tokens of somebody that were issued until a sign-out at the provider, and what began with them. */
  async noteSignOut(whose: Subject, at: Date): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const moved = await moveIdentityTime(transaction, 'signed_out_at', whose, at);
      if (moved !== null)
        await this.external.endTokens(transaction, {
          userId: moved.user_id,
          providerId: whose.providerId,
          madeBy: moved.bound_by_user_id,
        });
    });
    this.caches.clear();
  }
}
