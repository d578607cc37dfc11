import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config';
import { LOCK_ORG_BYTES, type LockedLog, MAKE_ORG_BYTES } from './event.query';
import { ConversationEventBytesError, OrganizationEventBytesError } from './events.errors';

const MEBIBYTE = 1024 * 1024;

/**
 * So far from the limit of an organization its counters are only read: batches that are stored at once, one for
 * each connection of the database, are not as large together.
 */
const FAR_BYTES = 4096 * MEBIBYTE;

/** How many bytes of events are stored (docs/contract.md#event-limits). */
@Injectable()
export class EventLimits {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Checks whether events may be added to a log. Near the limit of the organization its counters stay locked until
   * the transaction ends, so that calls at once do not pass it together.
   * @throws ConversationEventBytesError, OrganizationEventBytesError
   */
  async assertRoom(transaction: EntityManager, log: LockedLog, added: number): Promise<void> {
    const { EVENT_MEBIBYTES_PER_CONVERSATION: ofOne, EVENT_MEBIBYTES_PER_ORG: ofOrg } = this.settings;
    if (Number(log.bytes) + added > ofOne * MEBIBYTE) throw new ConversationEventBytesError(ofOne);
    const limit = ofOrg * MEBIBYTE;
    if (Number(log.org_bytes) + added + FAR_BYTES <= limit) return;
    await MAKE_ORG_BYTES.rows(transaction, [log.org_id]);
    const [locked] = await LOCK_ORG_BYTES.rows(transaction, [log.org_id]);
    if (Number(locked?.bytes) + added > limit) throw new OrganizationEventBytesError(ofOrg);
  }
}
