import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type EntityManager, Repository } from 'typeorm';
import { type DomainEventOf, DomainEvents } from '../../../kernel/domain-events';
import { DueCounts } from '../due/due-counts';
import {
  ANNOUNCED_KINDS,
  type AnnouncedKind,
  DAY_MS,
  daysBefore,
  type RetentionPeriods,
} from '../kinds/retention-kinds';
import { RetentionAnnouncement } from './retention-announcement.entity';

/** How long before it goes something is announced. */
const WARNING_DAYS = 7;

type Due = DomainEventOf<'retention.due'>['due'][number];

/** What a kind stands at, as it was or is to be stored. */
type State = Omit<RetentionAnnouncement, 'orgId'>;

/** What is to be announced of a kind: what was last active before a time, and not before another. */
interface Announced {
  readonly what: AnnouncedKind;
  readonly days: number;
  readonly before: Date;
  readonly from: Date | undefined;
}

/** For each kind that is announced, the time before which things were last active that may go now; null for none. */
export type Cutoffs = Readonly<Record<AnnouncedKind, Date | null>>;

/**
 * Announces what is about to go, a week before and once: each time everything that falls due within two weeks, and so at most once
 * a week. Nothing goes that was not announced a week ago (docs/retention.md#the-warning).
 */
@Injectable()
export class Announcements {
  constructor(
    @InjectRepository(RetentionAnnouncement) private readonly stored: Repository<RetentionAnnouncement>,
    private readonly due: DueCounts,
    private readonly events: DomainEvents,
  ) {}

  /** Announces what is to be announced by now, of one organization; by one run at a time. @returns what may go */
  async announce(orgId: string, periods: RetentionPeriods, now: Date): Promise<Cutoffs> {
    const states = new Map((await this.stored.findBy({ orgId })).map((row) => [row.kind, row]));
    const due: Due[] = [];
    const changed: State[] = [];
    const cutoffs: Record<AnnouncedKind, Date | null> = { events: null, conversations: null, archives: null };
    for (const kind of ANNOUNCED_KINDS) {
      const days = periods[kind];
      if (days === null) continue;
      const state = stateAt(kind, states.get(kind), days, now);
      if (state.announcedAt === now) {
        changed.push(state);
        // What was announced before is not announced again.
        const from = states.get(kind)?.announcedBefore;
        due.push(...(await this.dueOf(orgId, { what: kind, days, before: state.announcedBefore, from })));
      }
      const { removableBefore } = state;
      cutoffs[kind] = removableBefore === null ? null : earlier(removableBefore, daysBefore(now, days));
    }
    if (changed.length > 0) await this.store(orgId, changed, due, now);
    return cutoffs;
  }

  /** Before which time nothing of a kind goes, if it is announced as soon as can be. */
  async firstRemoval(orgId: string, kind: AnnouncedKind, now: Date): Promise<Date> {
    const state = await this.stored.findOneBy({ orgId, kind });
    if (state?.removableBefore) return now;
    const from = removalAt(state?.announcedAt ?? now);
    return from > now ? from : now;
  }

  /** What was announced counts no more. */
  async forget(transaction: EntityManager, orgId: string, kinds: readonly AnnouncedKind[]): Promise<void> {
    await transaction.delete(RetentionAnnouncement, { orgId, kind: Any([...kinds]) });
  }

  private async dueOf(orgId: string, { what, days, before, from }: Announced): Promise<Due[]> {
    const { items, bytes, oldest, newest } = await this.due.count(orgId, what, before, from);
    if (oldest === null || newest === null) return [];
    return [{ what, days, items, bytes, oldest_at: oldest.toISOString(), newest_at: newest.toISOString() }];
  }

  private async store(orgId: string, states: readonly State[], due: Due[], now: Date): Promise<void> {
    await this.stored.manager.transaction(async (transaction) => {
      const rows = states.map((state) => ({ orgId, ...state }));
      await transaction.withRepository(this.stored).upsert(rows, ['orgId', 'kind']);
      if (due.length === 0) return;
      await this.events.publish(transaction, {
        kind: 'retention.due',
        org_id: orgId,
        removal_at: removalAt(now).toISOString(),
        due,
      });
    });
  }
}

/** How a kind stands now: what was announced a week ago may go, and what falls due within a week is announced by now. */
function stateAt(
  kind: AnnouncedKind,
  last: RetentionAnnouncement | undefined,
  days: number,
  now: Date,
): State {
  const isOver = last !== undefined && removalAt(last.announcedAt) <= now;
  const removableBefore =
    last === undefined
      ? null
      : isOver
        ? later(last.removableBefore, last.announcedBefore)
        : last.removableBefore;
  const dueInAWeek = daysBefore(now, days - WARNING_DAYS);
  if (last !== undefined && dueInAWeek <= last.announcedBefore) {
    const { announcedAt, announcedBefore } = last;
    return { kind, announcedAt, announcedBefore, removableBefore };
  }
  const announcedBefore = daysBefore(now, days - 2 * WARNING_DAYS);
  return { kind, announcedAt: now, announcedBefore, removableBefore };
}

function removalAt(announcedAt: Date): Date {
  return new Date(announcedAt.getTime() + WARNING_DAYS * DAY_MS);
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function later(one: Date | null, other: Date): Date {
  return one !== null && one > other ? one : other;
}
