import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type AuditFields, auditFields } from '../kinds/audit-entry';
import { type DomainEvent } from '../kinds/domain-event';
import { AUDIT_KIND } from '../kinds/event-kinds';
import { ADD_AUDIT_EVENT, NOTED_CHANGES } from './audit-events.query';
import { DomainEventLog, NO_ORGANIZATION } from './domain-event-log';

/** How a row of the audit log is completed by its transaction. */
interface AddedWithChanges {
  /** Of what type the target is, where it is what was made; null where it is what the row says. */
  readonly madeType: string | null;
  /** Whether a transaction that has changed nothing gets no row. */
  readonly onlyIfChanged: boolean;
}

/** Logs rows of the audit log as domain events; its own module stores them from there (docs/audit-log.md). */
@Injectable()
export class AuditEvents {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly log: DomainEventLog,
  ) {}

  /**
   * Logs a row in the transaction of its change, with what triggers have noted of it.
   * @returns whether there is one
   */
  async add(
    transaction: EntityManager,
    row: AuditFields,
    { madeType, onlyIfChanged }: AddedWithChanges,
  ): Promise<boolean> {
    const event = JSON.stringify({ ...row, kind: AUDIT_KIND });
    const parameters = [event, madeType, NO_ORGANIZATION, !onlyIfChanged];
    return (await ADD_AUDIT_EVENT.rowsIn(transaction, parameters)).length > 0;
  }

  /** What triggers have noted of the change of a transaction, since its last row. */
  async noted(transaction: EntityManager): Promise<NonNullable<AuditFields['changes']>> {
    const [row] = await NOTED_CHANGES.rows(transaction);
    return auditFields.changes.parse(row?.list ?? null) ?? [];
  }

  /**
   * Logs rows as they are, in one statement.
   * @param transaction that of a change; without it they are of calls that are over
   */
  async addAll(rows: readonly AuditFields[], transaction?: EntityManager): Promise<void> {
    const events = rows.map((row): DomainEvent => ({ ...row, kind: AUDIT_KIND }));
    await this.log.add(transaction ?? this.database.manager, events, false);
    if (transaction === undefined) this.log.written(null);
  }
}
