import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntitySubscriberInterface, type TransactionCommitEvent } from 'typeorm';
import { AuditEvents, type AuditFields } from '../domain-events';
import { rowOfDeed } from './audit-trail';
import { isNested } from './calls/call-subscriber';
import { madeOf } from './calls/target';

/** A command of an operator. */
interface CommandUnderWay {
  readonly name: string;
  /** The organization that it names; null for none. */
  readonly orgId: string | null;
}

type Change = NonNullable<AuditFields['changes']>[number];

const current = new AsyncLocalStorage<CommandUnderWay>();

/** Does what a command does, each of whose transactions that change something leaves a row. */
export function inCommand<Result>(command: CommandUnderWay, work: () => Promise<Result>): Promise<Result> {
  return current.run(command, work);
}

/** Writes the rows of commands, with what they change (docs/audit-log.md#what-leaves-a-row). */
@Injectable()
export class CommandSubscriber implements EntitySubscriberInterface {
  constructor(
    @InjectDataSource() database: DataSource,
    private readonly events: AuditEvents,
  ) {
    database.subscribers.push(this);
  }

  /** @throws what PostgreSQL says; the transaction is then rolled back */
  async beforeTransactionCommit({ queryRunner, manager }: TransactionCommitEvent): Promise<void> {
    const command = current.getStore();
    if (command === undefined || isNested(queryRunner)) return;
    const changes = await this.events.noted(manager);
    // Who is to own an organization may be made before it.
    const main =
      changes.find(({ table, before }) => table === 'organizations' && before === null) ?? changes[0];
    const orgId = command.orgId ?? organizationOf(main);
    const target = main === undefined ? null : { type: madeOf(main.table), id: main.id };
    const row = rowOfDeed({ by: 'operator', orgId, action: command.name, target });
    await this.events.add(manager, row, { madeType: null, onlyIfChanged: true });
  }
}

/** The organization of what was changed, where that says so. */
function organizationOf(change: Change | undefined): string | null {
  if (change?.table === 'organizations' && change.after !== null) return change.id;
  const orgId = (change?.after ?? change?.before)?.['org_id'];
  return typeof orgId === 'string' ? orgId : null;
}
