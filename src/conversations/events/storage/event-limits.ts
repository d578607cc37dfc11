import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { Clock, MEBIBYTE } from '../../../kernel/common';
import { LOCK_ORG_BYTES, type LockedLog, MAKE_ORG_BYTES, ORG_BYTES } from './event.query';
import { ConversationEventBytesError, OrganizationEventBytesError } from './events.errors';

/**
 * So far from the limit of an organization its counters are only read, and not with each batch: what is stored until they
 * are read again, by all connections of the database together, is not as much.
 */
const FAR_BYTES = 4096 * MEBIBYTE;
const READ_AGAIN_MS = 1_000;
const MOST_KNOWN = 10_000;

/** How many bytes of events are stored (docs/contract.md#event-limits). */
@Injectable()
export class EventLimits {
  /** Until when organizations are known to be far from the limit. */
  private readonly farUntilMs = new Map<string, number>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks whether events may be added to a log. Near the limit of the organization its counters stay locked until
   * the transaction ends, so that calls at once do not pass it together.
   * @throws ConversationEventBytesError, OrganizationEventBytesError
   */
  async assertRoom(transaction: EntityManager, log: LockedLog, added: number): Promise<void> {
    const { EVENT_MEBIBYTES_PER_CONVERSATION: ofOne, EVENT_MEBIBYTES_PER_ORG: ofOrg } = this.settings;
    if (Number(log.bytes) + added > ofOne * MEBIBYTE) throw new ConversationEventBytesError(ofOne);
    if (await this.isFar(transaction, log.org_id, ofOrg * MEBIBYTE)) return;
    await MAKE_ORG_BYTES.rows(transaction, [log.org_id]);
    const [locked] = await LOCK_ORG_BYTES.rows(transaction, [log.org_id]);
    if (Number(locked?.bytes) + added > ofOrg * MEBIBYTE) throw new OrganizationEventBytesError(ofOrg);
  }

  private async isFar(transaction: EntityManager, orgId: string, limit: number): Promise<boolean> {
    const now = this.clock.monotonicMs();
    if (now < (this.farUntilMs.get(orgId) ?? 0)) return true;
    const [stored] = await ORG_BYTES.rows(transaction, [orgId]);
    if (Number(stored?.bytes) + FAR_BYTES > limit) return false;
    if (this.farUntilMs.size >= MOST_KNOWN) this.farUntilMs.clear();
    this.farUntilMs.set(orgId, now + READ_AGAIN_MS);
    return true;
  }
}
