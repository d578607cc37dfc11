import { Injectable } from '@nestjs/common';
import type { Caller, OrgContext } from '../../../kernel/auth';
import { ValidationError } from '../../../kernel/validation';
import type { IdentityDomain } from '../record/identity-domain.entity';
import { DomainNames, recordName } from './domain-names';
import { canonicalDomain, isPublicSuffix } from '../people/domain-rules';
import type { DomainList, DomainResponse } from './domains.dto';
import { DomainUnprovenError } from './domains.errors';
import { OrganizationDomains } from './organization-domains';

/** The domains of an organization, over the API (docs/sign-in-providers.md#domains). */
@Injectable()
export class DomainsService {
  constructor(
    private readonly domains: OrganizationDomains,
    private readonly names: DomainNames,
  ) {}

  async list({ orgId }: OrgContext): Promise<DomainList> {
    return { items: (await this.domains.list(orgId)).map(toResponse) };
  }

  /** @throws ValidationError for a domain that is nobody's own; TooManyDomainsError */
  async create({ userId }: Caller, { orgId }: OrgContext, domain: string): Promise<DomainResponse> {
    if (await isPublicSuffix(canonicalDomain(domain)))
      throw new ValidationError([
        {
          type: 'value_error',
          loc: ['body', 'domain'],
          msg: 'Value error, must be a domain of your own: anybody may have names below this one',
          input: domain,
        },
      ]);
    return toResponse(await this.domains.add(orgId, domain, userId));
  }

  /** @throws DomainNotFoundError, DomainUnprovenError, DomainTakenError */
  async verify({ userId }: Caller, { orgId }: OrgContext, text: string): Promise<DomainResponse> {
    const { domain, token } = await this.domains.get(orgId, text);
    // No transaction is open meanwhile; the token stays what it is.
    if (!(await this.names.says(domain, token))) throw new DomainUnprovenError();
    return toResponse(await this.domains.verify(orgId, domain, userId));
  }

  /** @throws DomainNotFoundError */
  remove({ userId }: Caller, { orgId }: OrgContext, domain: string): Promise<void> {
    return this.domains.remove(orgId, domain, userId);
  }
}

function toResponse({ domain, token, verifiedAt, verifiedBy, createdAt }: IdentityDomain): DomainResponse {
  return {
    domain,
    record_name: recordName(domain),
    record_value: token,
    verified_at: verifiedAt?.toISOString() ?? null,
    verified_by: verifiedBy,
    created_at: createdAt.toISOString(),
  };
}
