import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ExternalKeys } from '../../api-keys';
import { ProviderNotFoundError } from './providers.errors';
import { IdentityProvider } from '../record/identity-provider.entity';
import { MAX_UNBOUND } from '../record/limits';
import { UserIdentity } from '../record/user-identity.entity';
import { deleteIdentitiesIn, deleteSurplusUnbound, insertIdentity } from '../people/identities.query';
import { IdentityTakenError } from '../people/people.errors';

/** A subject of a provider of an organization that is to act for a service account of it. */
interface WantedIdentity extends Pick<UserIdentity, 'providerId' | 'subject' | 'userId'> {
  /** Who answers for it. */
  readonly boundByUserId: string;
}

/**
 * Subjects whose tokens act for service accounts (docs/provider-tokens.md#service-accounts), one for each. Callers check permissions, hold
 * the lock of the organization, and clear `AuthCaches` after their transaction.
 */
@Injectable()
export class BoundIdentities {
  constructor(private readonly external: ExternalKeys) {}

  /**
   * Binds a subject in place of the one before.
   * @returns false where that is so already
   * @throws ProviderNotFoundError, also for the provider of the installation; IdentityTakenError
   */
  async bind(transaction: EntityManager, orgId: string, wanted: WantedIdentity): Promise<boolean> {
    const { providerId, subject, userId, boundByUserId } = wanted;
    const providers = transaction.getRepository(IdentityProvider);
    if (!(await providers.existsBy({ id: providerId, orgId }))) throw new ProviderNotFoundError();
    const identities = transaction.getRepository(UserIdentity);
    if (await identities.existsBy({ providerId, subject, userId, boundByUserId })) return false;
    await this.unbind(transaction, orgId, userId);
    await deleteSurplusUnbound(transaction, providerId, MAX_UNBOUND);
    if (!(await insertIdentity(transaction, wanted))) throw new IdentityTakenError();
    return true;
  }

  /**
   * Ends what is bound to a service account, and what began with its tokens.
   * @returns false where nothing is
   */
  async unbind(transaction: EntityManager, orgId: string, userId: string): Promise<boolean> {
    const bound = await transaction.getRepository(UserIdentity).findBy({ userId });
    for (const { providerId, boundByUserId } of bound)
      await this.external.endTokens(transaction, { userId, providerId, madeBy: boundByUserId });
    await deleteIdentitiesIn(transaction, orgId, { id: userId, email: null });
    return bound.length > 0;
  }
}
