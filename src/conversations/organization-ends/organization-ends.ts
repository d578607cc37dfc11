import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { END_ORGANIZATION, endOrganization } from '../../accounts/orgs';
import { AuditTrail } from '../../kernel/audit';
import { Clock, digestOf, uuidText } from '../../kernel/common';
import { JobHandlers, JobQueue, type RunningJob } from '../../kernel/jobs';
import { OrganizationSandboxes } from '../../sandboxes/sandboxes';
import {
  EMPTY_ORGANIZATION,
  FORGET_ORGANIZATION,
  PATIENTLY,
  REMOVE_ORGANIZATION,
} from './organization-ends.query';
import { ENDED_BY, IDLE_ENDS, SERVERS_TOLD } from './organization-ends.read-model';

const payload = z.object({ orgId: uuidText, isRemoved: z.boolean() });

/** Rows of each kind that go at once. */
const AT_ONCE = 5_000;
/** How soon sandboxes and agent servers are looked at again. */
const LOOK_AGAIN_MS = 500;
/** No transaction that has seen the organization lasts longer. */
const FORGET_AFTER_MS = 5_000;
const RESTART_SECONDS = 60;

/**
 * Removes organizations that are shut, step by step: their sandboxes end, then their rows go in portions, then shared agent
 * servers have forgotten their conversations, then the organization goes with the rest. Each step looks at what is left, so that
 * one that was broken off is taken again (docs/decisions/0067-end-of-an-organization.md).
 */
@Injectable()
export class OrganizationEnds {
  private readonly log = new Logger('Organizations');

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sandboxes: OrganizationSandboxes,
    private readonly trail: AuditTrail,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.register(END_ORGANIZATION, payload, (of, job) => this.run(of, job), 'slow');
    handlers.every('organization-ends', RESTART_SECONDS, () => this.restart());
  }

  private async run({ orgId, isRemoved }: z.output<typeof payload>, job: RunningJob): Promise<void> {
    if (isRemoved) await FORGET_ORGANIZATION.rows(this.database, [orgId]);
    else if (await this.isReady(orgId, job.signal)) await this.remove(orgId);
    else await this.jobs.add(this.database.manager, endOrganization(orgId, false, this.in(LOOK_AGAIN_MS)));
  }

  /** Whether nothing is left but the organization itself. */
  private async isReady(orgId: string, signal: AbortSignal): Promise<boolean> {
    if (!(await this.sandboxes.endAll(orgId))) return false;
    for (let done = false; !done;) {
      signal.throwIfAborted();
      done = await this.database.transaction(async (transaction) => {
        await PATIENTLY.rows(transaction);
        const [emptied] = await EMPTY_ORGANIZATION.rows(transaction, [orgId, AT_ONCE]);
        return emptied?.done === true;
      });
    }
    const [told] = await SERVERS_TOLD.rows(this.database, [orgId]);
    return told?.done !== false;
  }

  private async remove(orgId: string): Promise<void> {
    const removed = await this.database.transaction(async (transaction) => {
      await PATIENTLY.rows(transaction);
      const [by] = await ENDED_BY.rows(transaction, [orgId]);
      const [row] = await REMOVE_ORGANIZATION.rows(transaction, [orgId]);
      if (row?.done !== true) return false;
      await this.record(transaction, orgId, by?.is_user === true ? 'user' : 'operator', by?.user_id ?? null);
      await this.jobs.add(transaction, endOrganization(orgId, true, this.in(FORGET_AFTER_MS)));
      return true;
    });
    if (removed) this.log.log('An organization was deleted, with all it had');
  }

  /** What is left: a row in the log of the installation, which knows the organization by the digest of its id. */
  private record(
    transaction: EntityManager,
    orgId: string,
    by: 'user' | 'operator',
    userId: string | null,
  ): Promise<void> {
    return this.trail.record(transaction, {
      by,
      userId,
      orgId: null,
      action: 'organization.deleted',
      target: { type: 'organization', id: digestOf(orgId) },
      hidesNoted: true,
    });
  }

  /** Adds the jobs of ends that were given up, or lost. */
  private async restart(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const idle = await IDLE_ENDS.rows(transaction);
      await this.jobs.addAll(
        transaction,
        idle.map(({ id }) => endOrganization(id)),
      );
    });
  }

  private in(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}
