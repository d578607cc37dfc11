import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { newId, SecretBox } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { DomainEventLog, type DomainEventOf } from '../../../kernel/domain-events';
import { JobHandlers, type RunningJob } from '../../../kernel/jobs';
import { NO_HASH } from '../chain/entry';
import { stateOf } from '../seals/seal';
import { OLD_SEALS, REMOVE_SPANS, type SealAndBefore } from '../seals/seals.query';

const SECONDS = 86_400;
/** Of one batch. */
const MOST_SEALS = 500;
const MOST_ROWS = 20_000;

/** Removes from the log what is older than `AUDIT_LOG_DAYS`, in whole sealed spans, whose seals stay. */
@Injectable()
export class OldSpans {
  private readonly logger = new Logger(OldSpans.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly box: SecretBox,
    private readonly log: DomainEventLog,
    @Inject(SETTINGS) private readonly settings: Settings,
    handlers: JobHandlers,
  ) {
    handlers.every('audit-retention', SECONDS, (job) => this.removeOld(job));
  }

  /**
   * Removes all that is old enough, in batches, until it is asked to stop.
   * @param most how many spans are removed at a time
   */
  async removeOld({ signal }: Pick<RunningJob, 'signal'>, most = MOST_SEALS): Promise<void> {
    const refused: string[] = [];
    for (let after = '0'; !signal.aborted;) {
      const seals = await OLD_SEALS.rows(this.database, [
        this.settings.AUDIT_LOG_DAYS,
        after,
        most,
        MOST_ROWS,
      ]);
      const last = seals.at(-1);
      if (last === undefined) break;
      after = last.id;
      const removed = await this.removeSpans(seals);
      refused.push(...seals.map(({ id }) => id).filter((id) => !removed.has(id)));
    }
    if (refused.length > 0)
      this.logger.error(
        `${refused.length} old spans of the audit log were not removed: they are not as their seals say, the first one that of seal ${refused[0]}. The command audit:verify says more.`,
      );
  }

  /** The database knows the rows, and the service the key: what either of them doubts stays. @returns the ids of the seals */
  private async removeSpans(seals: readonly SealAndBefore[]): Promise<ReadonlySet<string>> {
    const genuine = seals.filter((seal) => stateOf(this.box, seal, seal.before ?? NO_HASH) === 'fits');
    return this.database.transaction(async (transaction) => {
      const removed = await REMOVE_SPANS.rows(transaction, [
        genuine.map(({ id }) => id),
        this.settings.AUDIT_LOG_DAYS,
      ]);
      const last = new Map<string | null, string>();
      for (const { org, seal } of removed) last.set(org, seal);
      await this.log.add(
        transaction,
        [...last].map(([orgId, seal]) => removalOf(orgId, seal)),
        false,
      );
      return new Set(removed.map(({ seal }) => seal));
    });
  }
}

/** The row that says that rows were removed, up to a seal. */
function removalOf(orgId: string | null, seal: string): DomainEventOf<'audit.recorded'> {
  return {
    kind: 'audit.recorded',
    org_id: orgId,
    entry_id: newId(),
    at: new Date().toISOString(),
    actor: { kind: 'system', user_id: null, key_prefix: null, session: false },
    action: 'removeOldAuditRows',
    target: { type: 'audit_seal', id: seal },
    changes: null,
    outcome: 'success',
    status: null,
    code: null,
    request_id: null,
    personal: { address: null, user_agent: null },
  };
}
