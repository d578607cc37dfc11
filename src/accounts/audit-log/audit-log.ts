import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEventLog } from '../../kernel/domain-events';
import { DELETE_PERSONAL, PLACES_OF_USER } from './persons.query';

/** Longer than the log of domain events is kept. */
const LOGGED_MS = 14 * 24 * 3_600 * 1_000;

/** Of a transaction: domain events wait for it. */
const MOST_ROWS = 1_000;

/** The audit log, for other modules (docs/audit-log.md). */
@Injectable()
export class AuditLog {
  constructor(private readonly log: DomainEventLog) {}

  /**
   * Deletes what the log says of a person: the addresses and programs that they called from. Their rows stay, with their id
   * and a digest that nothing leads back from, and their chains are whole. What they do afterwards is logged as before.
   * @param transaction a short one: domain events that were committed and not numbered yet wait for it, all of them
   * @param most rows that lose their personal part at once
   * @returns whether there may be more of them
   */
  async erasePerson(transaction: EntityManager, userId: string, most = MOST_ROWS): Promise<boolean> {
    const since = new Date(Date.now() - LOGGED_MS);
    const places = () => PLACES_OF_USER.rows(transaction, [userId, since, most]);
    // The events first: what the sequencer is just adding to the log is there when it lets go of them.
    await this.log.erasePerson(
      transaction,
      userId,
      (await places()).filter(({ is_logged }) => is_logged),
    );
    const positions = (await places()).map(({ position }) => position);
    await DELETE_PERSONAL.rows(transaction, [positions]);
    return positions.length === most;
  }
}
