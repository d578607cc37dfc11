import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntitySubscriberInterface } from 'typeorm';
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

  afterTransactionCommit(): void {
    this.log.written();
  }
}
