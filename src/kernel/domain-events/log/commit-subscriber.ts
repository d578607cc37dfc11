import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntitySubscriberInterface, type TransactionCommitEvent } from 'typeorm';
import { DomainEventLog } from './domain-event-log';

/** Notices commits: what was logged before them can be read from then on. */
@Injectable()
export class CommitSubscriber implements EntitySubscriberInterface {
  constructor(
    @InjectDataSource() database: DataSource,
    private readonly log: DomainEventLog,
  ) {
    database.subscribers.push(this);
  }

  afterTransactionCommit({ queryRunner }: TransactionCommitEvent): void {
    this.log.written(queryRunner);
  }
}
