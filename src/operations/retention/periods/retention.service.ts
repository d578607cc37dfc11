import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { lockForTransaction } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { Announcements } from '../announcements/announcements';
import { type DueSummary, DueCounts } from '../due/due-counts';
import { OrgRetention } from './org-retention.entity';
import type {
  RetentionDefaults,
  RetentionPreview,
  RetentionResponse,
  RetentionUpdate,
} from './retention.dto';
import {
  ANNOUNCED_KINDS,
  daysBefore,
  defaultPeriods,
  effectivePeriods,
  isAnnounced,
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionPeriods,
} from '../kinds/retention-kinds';

/** For how many days organizations keep what, and what goes after that (docs/retention.md). */
@Injectable()
export class RetentionService {
  private readonly defaults: RetentionPeriods;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    @InjectRepository(OrgRetention) private readonly stored: Repository<OrgRetention>,
    private readonly due: DueCounts,
    private readonly announcements: Announcements,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {
    this.defaults = defaultPeriods(settings);
  }

  async get(orgId: string): Promise<RetentionResponse> {
    return this.response(await this.stored.findOneBy({ orgId }));
  }

  /** Replaces the periods of an organization. */
  async set(orgId: string, wanted: RetentionUpdate): Promise<RetentionResponse> {
    await this.stored.manager.transaction(async (transaction) => {
      await lockForTransaction(transaction, `retention:${orgId}`);
      const rows = transaction.withRepository(this.stored);
      const before = ownPeriods(await rows.findOneBy({ orgId }));
      const after = periodsOf(wanted);
      const fields = RETENTION_KINDS.filter((kind) => before[kind] !== after[kind]);
      if (fields.length === 0) return;
      await rows.upsert({ orgId, ...columnsOf(after), updatedAt: () => 'now()' }, ['orgId']);
      await this.forgetAnnouncements(transaction, orgId, before);
      await this.events.publish(transaction, {
        kind: 'settings.updated',
        org_id: orgId,
        user_id: null,
        fields: fields.map((kind) => `retention.${kind}_days`),
      });
    });
    return this.get(orgId);
  }

  /** What would go if the periods of an organization were replaced, which they are not. */
  async tryOut(orgId: string, wanted: RetentionUpdate): Promise<RetentionResponse> {
    const current = await this.stored.findOneBy({ orgId });
    const own = periodsOf(wanted);
    return Object.assign(this.response(current), toFields(own), {
      would_remove: await this.preview(orgId, effectivePeriods(own, this.defaults)),
    });
  }

  /** What applies to an organization. */
  async periodsOf(orgId: string): Promise<RetentionPeriods> {
    return effectivePeriods(ownPeriods(await this.stored.findOneBy({ orgId })), this.defaults);
  }

  /**
   * Which of that a run removes: what the installation says of messages and deliveries is removed every minute by those who keep
   * them.
   */
  async runPeriodsOf(orgId: string): Promise<RetentionPeriods> {
    const own = ownPeriods(await this.stored.findOneBy({ orgId }));
    const { messages, deliveries } = own;
    return { ...effectivePeriods(own, this.defaults), messages, deliveries };
  }

  /** Whether the installation itself says that something is announced and goes: in all organizations then. */
  get appliesToAll(): boolean {
    return ANNOUNCED_KINDS.some((kind) => this.defaults[kind] !== null);
  }

  /** What would go by some periods. */
  async preview(orgId: string, periods: RetentionPeriods): Promise<RetentionPreview[]> {
    const now = this.clock.now();
    const previews: RetentionPreview[] = [];
    for (const kind of RETENTION_KINDS) {
      const days = periods[kind];
      const summary = days === null ? null : await this.due.count(orgId, kind, daysBefore(now, days));
      const notBefore =
        days === null || !isAnnounced(kind) ? null : await this.announcements.firstRemoval(orgId, kind, now);
      previews.push(toPreview(kind, days, summary, notBefore));
    }
    return previews;
  }

  /** What was announced for a period that has ended is announced anew. */
  private async forgetAnnouncements(
    transaction: EntityManager,
    orgId: string,
    before: RetentionPeriods,
  ): Promise<void> {
    const had = effectivePeriods(before, this.defaults);
    await this.announcements.forget(
      transaction,
      orgId,
      ANNOUNCED_KINDS.filter((kind) => had[kind] === null),
    );
  }

  private response(row: OrgRetention | null): RetentionResponse {
    return Object.assign(toFields(ownPeriods(row)), {
      defaults: toFields(this.defaults),
      updated_at: row?.updatedAt.toISOString() ?? null,
      would_remove: null,
    });
  }
}

function toPreview(
  what: RetentionKind,
  days: number | null,
  summary: DueSummary | null,
  notBefore: Date | null,
): RetentionPreview {
  return {
    what,
    days,
    items: summary?.items ?? 0,
    bytes: summary === null ? 0 : summary.bytes,
    oldest_at: summary?.oldest?.toISOString() ?? null,
    newest_at: summary?.newest?.toISOString() ?? null,
    not_before: notBefore?.toISOString() ?? null,
    is_complete: summary?.isComplete ?? true,
  };
}

function periodsOf(wanted: RetentionUpdate): RetentionPeriods {
  return {
    events: wanted.events_days,
    conversations: wanted.conversations_days,
    messages: wanted.messages_days,
    deliveries: wanted.deliveries_days,
    archives: wanted.archives_days,
  };
}

function ownPeriods(row: OrgRetention | null): RetentionPeriods {
  return {
    events: row?.eventsDays ?? null,
    conversations: row?.conversationsDays ?? null,
    messages: row?.messagesDays ?? null,
    deliveries: row?.deliveriesDays ?? null,
    archives: row?.archivesDays ?? null,
  };
}

function columnsOf(periods: RetentionPeriods): Omit<OrgRetention, 'orgId' | 'updatedAt'> {
  return {
    eventsDays: periods.events,
    conversationsDays: periods.conversations,
    messagesDays: periods.messages,
    deliveriesDays: periods.deliveries,
    archivesDays: periods.archives,
  };
}

function toFields(periods: RetentionPeriods): RetentionDefaults {
  return {
    events_days: periods.events,
    conversations_days: periods.conversations,
    messages_days: periods.messages,
    deliveries_days: periods.deliveries,
    archives_days: periods.archives,
  };
}
