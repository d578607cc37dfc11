import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { lockForTransaction } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { domainOf } from '../people/people-rules';
import { selectDomainOwner } from '../people/identities.query';
import { IdentityDomain } from '../record/identity-domain.entity';
import { canonicalDomain, domainProblem } from '../people/domain-rules';
import { DomainNotFoundError, DomainTakenError, MAX_DOMAINS, TooManyDomainsError } from './domains.errors';

const TOKEN_BYTES = 24;

/** The domains of mail addresses that organizations say are their own, and those of which that is known. */
@Injectable()
export class OrganizationDomains {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly events: DomainEvents,
  ) {}

  /** Whose the domain of a mail address is; null for nobody's, and for what is no address. */
  async ownerOfAddress(
    email: string,
    transaction: EntityManager = this.database.manager,
  ): Promise<string | null> {
    const domain = domainOf(email);
    return domainProblem(domain) === null ? selectDomainOwner(transaction, canonicalDomain(domain)) : null;
  }

  /** By their names. */
  list(orgId: string): Promise<IdentityDomain[]> {
    return this.database.getRepository(IdentityDomain).find({ where: { orgId }, order: { domain: 'ASC' } });
  }

  /** @throws DomainNotFoundError */
  async get(orgId: string, domain: string, transaction = this.database.manager): Promise<IdentityDomain> {
    const where = { orgId, domain: canonicalDomain(domain) };
    const found = await transaction.getRepository(IdentityDomain).findOneBy(where);
    if (found === null) throw new DomainNotFoundError();
    return found;
  }

  /**
   * Notes that an organization says that a domain is its own, with a token that proves it.
   * @param userId null for the operator
   * @returns the one that is there, where it was noted before
   * @throws TooManyDomainsError
   */
  add(orgId: string, text: string, userId: string | null): Promise<IdentityDomain> {
    const domain = canonicalDomain(text);
    return this.database.transaction(async (transaction) => {
      const domains = transaction.getRepository(IdentityDomain);
      await lockForTransaction(transaction, `identity-domains:${orgId}`);
      const known = await domains.findOneBy({ orgId, domain });
      if (known !== null) return known;
      if ((await domains.countBy({ orgId })) >= MAX_DOMAINS) throw new TooManyDomainsError();
      await domains.insert({ orgId, domain, token: randomBytes(TOKEN_BYTES).toString('base64url') });
      await this.events.publish(transaction, {
        kind: 'identity_domain.added',
        org_id: orgId,
        domain,
        user_id: userId,
      });
      return domains.findOneByOrFail({ orgId, domain });
    });
  }

  /**
   * Notes that a domain was found to be an organization's.
   * @param userId null for the operator
   * @throws DomainNotFoundError, DomainTakenError
   */
  verify(orgId: string, text: string, userId: string | null): Promise<IdentityDomain> {
    const domain = canonicalDomain(text);
    return this.database.transaction(async (transaction) => {
      // Of two organizations that prove it at once, the second sees the first.
      await lockForTransaction(transaction, `identity-domain:${domain}`);
      const found = await this.get(orgId, domain, transaction);
      if (found.verifiedAt !== null) return found;
      if ((await selectDomainOwner(transaction, domain)) !== null) throw new DomainTakenError();
      await transaction
        .getRepository(IdentityDomain)
        .update(
          { orgId, domain },
          { verifiedAt: () => 'now()', verifiedBy: userId === null ? 'operator' : 'dns' },
        );
      await this.events.publish(transaction, {
        kind: 'identity_domain.verified',
        org_id: orgId,
        domain,
        user_id: userId,
      });
      return this.get(orgId, domain, transaction);
    });
  }

  /** Lets nobody of a domain in any more. @param userId null for the operator @throws DomainNotFoundError */
  async remove(orgId: string, domain: string, userId: string | null): Promise<void> {
    await this.database.transaction(async (transaction: EntityManager) => {
      const found = await this.get(orgId, domain, transaction);
      await transaction.getRepository(IdentityDomain).delete({ orgId, domain: found.domain });
      await this.events.publish(transaction, {
        kind: 'identity_domain.removed',
        org_id: orgId,
        domain: found.domain,
        user_id: userId,
      });
    });
  }
}
