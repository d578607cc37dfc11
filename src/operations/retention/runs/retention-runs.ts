import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/common';
import type { RunningJob } from '../../../kernel/jobs';
import { Announcements } from '../announcements/announcements';
import { ORGANIZATION, ORGANIZATIONS_TO_RUN } from '../due/due.read-model';
import type { RetentionPreview } from '../periods/retention.dto';
import { daysBefore, type RetentionPeriods } from '../kinds/retention-kinds';
import { RetentionService } from '../periods/retention.service';
import { OrganizationRun, RunLostError } from './organization-run';
import { Removals } from './removals';
import { type Removed, removedSchema } from './removed';
import { RetentionJobs } from './retention-jobs';
import { CLAIM, END_CLAIM, NOTE_REMOVED } from './retention-runs.query';
import { type RunBy, RunRecord } from './run-record';

const ORGANIZATIONS_AT_ONCE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** What came of an organization: what was removed, or that another run has it. */
export interface RunOfOrganization {
  readonly org_id: string;
  readonly removed: Removed;
  /** Whether another run has it: that one removes what is due. */
  readonly is_busy: boolean;
}

/** What would go of an organization. */
export interface PreviewOfOrganization {
  readonly org_id: string;
  readonly would_remove: readonly RetentionPreview[];
}

/**
 * Removes what is due, every hour, one organization after the other. A run claims an organization, so that no other has it at the
 * same time, whatever the replica; a claim ends by itself when its process has died (docs/retention.md#how-it-is-removed).
 */
@Injectable()
export class RetentionRuns {
  private readonly logger = new Logger('Retention');

  constructor(
    @InjectDataSource() readonly database: DataSource,
    private readonly retention: RetentionService,
    private readonly announcements: Announcements,
    readonly removals: Removals,
    private readonly record: RunRecord,
    readonly clock: Clock,
    private readonly jobs: RetentionJobs,
  ) {
    jobs.register((job) => this.runJob(job));
  }

  /** Of all organizations, or of one. @returns those in which something was removed, or another run is */
  async runAll(by: RunBy, orgId?: string, signal?: AbortSignal): Promise<RunOfOrganization[]> {
    const results: RunOfOrganization[] = [];
    for await (const id of this.organizations(orgId)) {
      signal?.throwIfAborted();
      try {
        const result = await this.run(id, by, signal);
        if (result.is_busy || Object.keys(result.removed).length > 0) results.push(result);
      } catch (error) {
        if (signal?.aborted === true) throw error;
        // That of one organization, which may repeat, must not keep the others from their turn.
        this.logger.error({ err: error, orgId: id }, 'What is due in an organization could not be removed.');
      }
    }
    return results;
  }

  /** What would go by now, of all organizations or of one; of those in which something would. */
  async previewAll(orgId?: string): Promise<PreviewOfOrganization[]> {
    const previews: PreviewOfOrganization[] = [];
    for await (const id of this.organizations(orgId)) {
      const found = await this.retention.preview(id, await this.retention.periodsOf(id));
      const wouldRemove = found.filter(({ items }) => items > 0);
      if (wouldRemove.length > 0) previews.push({ org_id: id, would_remove: wouldRemove });
    }
    return previews;
  }

  /** Whether there is such an organization. */
  async knows(orgId: string): Promise<boolean> {
    return (await ORGANIZATION.rows(this.database, [orgId])).length > 0;
  }

  /** Removes what is due in an organization, unless another run does. */
  async run(orgId: string, by: RunBy, signal?: AbortSignal): Promise<RunOfOrganization> {
    const [claim] = await CLAIM.rows(this.database, [orgId]);
    if (claim === undefined) return { org_id: orgId, removed: {}, is_busy: true };
    const { fence } = claim;
    const run = new OrganizationRun(this, {
      orgId,
      fence,
      removed: removedSchema.parse(claim.removed),
      signal,
    });
    try {
      await run.remove(await this.cutoffs(orgId));
      await this.end(orgId, fence, by, run.removed);
      return { org_id: orgId, removed: run.removed, is_busy: false };
    } catch (error) {
      if (error instanceof RunLostError) return { org_id: orgId, removed: {}, is_busy: true };
      await END_CLAIM.rows(this.database, [orgId, fence]);
      throw error;
    }
  }

  /** Before which time what was last active goes now; announces what goes later. */
  private async cutoffs(orgId: string): Promise<Record<keyof RetentionPeriods, Date | null>> {
    const now = this.clock.now();
    const periods = await this.retention.runPeriodsOf(orgId);
    const { messages, deliveries } = periods;
    return {
      ...(await this.announcements.announce(orgId, periods, now)),
      messages: messages === null ? null : daysBefore(now, messages),
      deliveries: deliveries === null ? null : daysBefore(now, deliveries),
    };
  }

  /** One transaction: what was removed is recorded once, however often runs were interrupted. */
  private async end(orgId: string, fence: string, by: RunBy, removed: Removed): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const own = await NOTE_REMOVED.rows(transaction, [orgId, fence, '{}']);
      if (own.length === 0) throw new RunLostError();
      if (Object.keys(removed).length > 0) await this.record.add(transaction, orgId, by, removed);
      await END_CLAIM.rows(transaction, [orgId, fence]);
    });
  }

  private async *organizations(only?: string): AsyncGenerator<string> {
    if (only !== undefined) {
      yield only;
      return;
    }
    let last = FIRST;
    for (;;) {
      const parameters = [last, ORGANIZATIONS_AT_ONCE, this.retention.appliesToAll];
      const page = await ORGANIZATIONS_TO_RUN.rows(this.database, parameters);
      for (const { id } of page) yield id;
      if (page.length < ORGANIZATIONS_AT_ONCE) return;
      last = page.at(-1)?.id ?? last;
    }
  }

  private async runJob(job: RunningJob): Promise<void> {
    const results = await this.runAll('system', undefined, job.signal);
    // Of one whose run has died: its claim ends soon.
    if (results.some(({ is_busy }) => is_busy)) await this.jobs.again();
  }
}
