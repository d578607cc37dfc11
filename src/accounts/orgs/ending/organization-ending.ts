import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { JobQueue, type NewJob } from '../../../kernel/jobs';
import { OrganizationHeldError, NotConfirmedError, OrganizationEndingError } from './ending.errors';
import { LOCK_ORGANIZATION, SHUT_ORGANIZATION } from './ending.query';
import { selectEnding } from './ending.read-model';
import { isOrganizationHeld } from './legal-hold.read-model';

/** Name of the job that ends an organization, as the database has it. */
export const END_ORGANIZATION = 'organization-end';

/**
 * That job, which waits in one copy only.
 * @param isRemoved whether the organization is gone, and only looked for once more
 * @param runAt default: at once
 */
export function endOrganization(orgId: string, isRemoved = false, runAt?: Date): NewJob {
  return {
    name: END_ORGANIZATION,
    payload: { orgId, isRemoved },
    key: `organization-end:${orgId}`,
    ...(runAt !== undefined && { runAt }),
  };
}

/** How far the end of an organization has come. */
export interface OrganizationEnd {
  readonly org_id: string;
  readonly name: string;
  readonly ending_at: Date;
  /** What is not gone yet. */
  readonly left: { readonly sandboxes: number; readonly conversations: number };
}

/** Whoever deletes an organization. */
interface EndRequest {
  /** What has to be its name. */
  readonly confirm: string;
  /** Null for an operator. */
  readonly byUserId: string | null;
}

/** Begins the ends of organizations, and says how far they have come (docs/personal-data.md#the-end-of-an-organization). */
@Injectable()
export class OrganizationEnding {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Shuts an organization: with this transaction nobody is a member of it any more, and its keys, sessions, invitations and
   * providers are gone. A job removes the rest.
   * @returns since when it ends
   * @throws NotConfirmedError, OrganizationHeldError, OrganizationEndingError
   */
  async begin(transaction: EntityManager, orgId: string, { confirm, byUserId }: EndRequest): Promise<Date> {
    const [organization] = await LOCK_ORGANIZATION.rows(transaction, [orgId]);
    // Whose row is gone has nobody who could ask.
    if (organization === undefined || organization.ending_at !== null) throw new OrganizationEndingError();
    if (organization.name.trim() !== confirm.trim()) throw new NotConfirmedError();
    if (await isOrganizationHeld(transaction, orgId)) throw new OrganizationHeldError();
    const [shut] = await SHUT_ORGANIZATION.rows(transaction, [orgId, byUserId]);
    if (shut === undefined) throw new Error('The organization was not shut.');
    await this.jobs.add(transaction, endOrganization(orgId));
    return shut.at;
  }

  /** @returns `none` where there is no such organization, `lives` where nobody deletes it */
  async stateOf(orgId: string): Promise<OrganizationEnd | 'none' | 'lives'> {
    const row = await selectEnding(this.database, orgId);
    if (row === null) return 'none';
    const { name, ending_at, sandboxes, conversations } = row;
    return ending_at === null
      ? 'lives'
      : { org_id: orgId, name, ending_at, left: { sandboxes, conversations } };
  }
}
