import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  DataSource,
  type EntitySubscriberInterface,
  type QueryRunner,
  type TransactionCommitEvent,
  type TransactionRollbackEvent,
} from 'typeorm';
import { MembershipReader, requestIdentity } from '../../auth';
import { AuditEvents } from '../../domain-events';
import { auditedCall } from './audited-call';
import { currentOrganizationOf, organizationOf, rowOfCall } from './call-row';
import { madeAt } from './target';

/**
 * Writes the row of a call in its first transaction that changes something, right before that commits: a rollback takes the row
 * along, and where the row cannot be written, nothing is changed.
 */
@Injectable()
export class CallSubscriber implements EntitySubscriberInterface {
  constructor(
    @InjectDataSource() database: DataSource,
    private readonly events: AuditEvents,
    private readonly members: MembershipReader,
  ) {
    database.subscribers.push(this);
  }

  /** @throws what PostgreSQL says; the transaction is then rolled back */
  async beforeTransactionCommit({ queryRunner, manager }: TransactionCommitEvent): Promise<void> {
    const call = auditedCall.get();
    if (call === undefined || isNested(queryRunner)) return;
    const request = call.begin(queryRunner);
    if (request === null) return;
    const { operation } = call;
    const status = operation.respondsItself ? null : (request.res?.statusCode ?? null);
    const orgId =
      organizationOf(request, operation.template, true) ?? (await this.currentOrganization(manager, request));
    const row = rowOfCall(request, operation, { outcome: 'success', status, code: null }, orgId);
    const isAdded = await this.events.add(manager, row, {
      madeType: madeAt(request.method, operation.template),
      onlyIfChanged: true,
    });
    if (!isAdded) call.giveUp(queryRunner);
  }

  afterTransactionCommit({ queryRunner }: TransactionCommitEvent): void {
    auditedCall.get()?.committed(queryRunner);
  }

  afterTransactionRollback({ queryRunner }: TransactionRollbackEvent): void {
    auditedCall.get()?.giveUp(queryRunner);
  }

  /** Of what users have for themselves, the organization that they are in. */
  private async currentOrganization(
    transaction: TransactionCommitEvent['manager'],
    request: IncomingMessage,
  ): Promise<string | null> {
    const orgId = currentOrganizationOf(request);
    const userId = requestIdentity(request).caller?.userId;
    if (orgId === null || userId === undefined) return null;
    return (await this.members.standingIn(transaction, { userId, orgId })) === null ? null : orgId;
  }
}

/** Whether a savepoint is released: the transaction around it goes on. */
export function isNested(runner: QueryRunner): boolean {
  const depth: unknown = Reflect.get(runner, 'transactionDepth');
  return typeof depth === 'number' && depth > 1;
}
