import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { domainProblem, OrganizationDomains } from '../../../accounts/identity-providers';
import { Accounts, OnlyProvider, type OrganizationEnd, OrganizationEnding } from '../../../accounts/orgs';
import { CommandError } from '../command-error';
import { asCommand, uuidOf } from '../option-values';

/** What an operator does to one organization (docs/contract.md#command-line). */
@Injectable()
export class OrganizationCommands {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: Accounts,
    private readonly domains: OrganizationDomains,
    private readonly onlyProvider: OnlyProvider,
    private readonly ending: OrganizationEnding,
  ) {}

  /** Notes that a domain is an organization's own. */
  async verifyDomain(
    org: string,
    text: string,
  ): Promise<{ org_id: string; domain: string; verified_at: string }> {
    const orgId = await this.idOf(org);
    const problem = domainProblem(text);
    if (problem !== null) throw new CommandError(`--domain ${problem}.`);
    return asCommand(async () => {
      await this.domains.add(orgId, text, null);
      const { domain, verifiedAt } = await this.domains.verify(orgId, text, null);
      return { org_id: orgId, domain, verified_at: verifiedAt?.toISOString() ?? '' };
    });
  }

  /** Takes a domain from an organization: nobody with an address of it signs in there any more. */
  async removeDomain(org: string, domain: string): Promise<{ org_id: string; removed: true }> {
    const orgId = await this.idOf(org);
    await asCommand(() => this.domains.remove(orgId, domain, null));
    return { org_id: orgId, removed: true };
  }

  /** Has an organization let people in by other ways than its provider of identities, too. */
  async makeProviderOptional(org: string): Promise<{ org_id: string; only_provider: null }> {
    const orgId = await this.idOf(org);
    await this.database.transaction((transaction) => this.onlyProvider.set(transaction, orgId, null));
    return { org_id: orgId, only_provider: null };
  }

  /** Deletes an organization, which the running service does; of one that is being deleted it says how far that has come. */
  async removeOrganization(org: string, confirm: string): Promise<OrganizationEnd> {
    const orgId = uuidOf('org', org);
    if ((await this.ending.stateOf(orgId)) === 'lives')
      await asCommand(() =>
        this.database.transaction((transaction) =>
          this.ending.begin(transaction, orgId, { confirm, byUserId: null }),
        ),
      );
    const state = await this.ending.stateOf(orgId);
    if (state === 'none' || state === 'lives')
      throw new CommandError('There is no organization with this id.');
    return state;
  }

  /** The id of an organization that there is. @throws CommandError */
  async idOf(org: string): Promise<string> {
    const orgId = uuidOf('org', org);
    if (!(await this.accounts.organizationExists(this.database.manager, orgId)))
      throw new CommandError('There is no organization with this id.');
    return orgId;
  }
}
