import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { type ExhaustedBudget, toExhausted } from '../record/exhausted-budget';
import { EXHAUSTED_OF_CONVERSATION, EXHAUSTED_OF_NEW } from './room.read-model';

/** A conversation that is to be started. */
export interface NewConversation {
  readonly orgId: string;
  readonly userId: string;
  readonly parentConversationId: string | null;
  readonly repository: string | null;
  readonly tags: Readonly<Record<string, unknown>>;
}

/** Whether budgets have room left, for those who start what spends. */
@Injectable()
export class Budgets {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** A budget without room that a conversation counts in, the one that lasts longest; null where all have some. */
  async exhaustedFor(conversationId: string, transaction?: EntityManager): Promise<ExhaustedBudget | null> {
    const [row] = await EXHAUSTED_OF_CONVERSATION.rows(transaction ?? this.database, [conversationId]);
    return row === undefined ? null : toExhausted(row, this.clock.now());
  }

  /** As {@link exhaustedFor}, of a conversation that is not there yet. */
  async exhaustedForNew(
    wanted: NewConversation,
    transaction?: EntityManager,
  ): Promise<ExhaustedBudget | null> {
    const { orgId, userId, parentConversationId, repository, tags } = wanted;
    const parameters = [orgId, userId, parentConversationId, repository, JSON.stringify(tags)];
    const [row] = await EXHAUSTED_OF_NEW.rows(transaction ?? this.database, parameters);
    return row === undefined ? null : toExhausted(row, this.clock.now());
  }
}
