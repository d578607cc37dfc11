import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, type Repository } from 'typeorm';
import { ConversationRemoval } from './conversation-removal.entity';

/** A removal to record. */
export type NewRemoval = Omit<ConversationRemoval, 'settlesAt'> & {
  /** How long a start that is under way may still make the conversation. */
  readonly settleSeconds: number;
};

/** Keeps which conversations are to be removed from their agent servers. */
@Injectable()
export class ConversationRemovalsRepository {
  constructor(
    @InjectRepository(ConversationRemoval) private readonly removals: Repository<ConversationRemoval>,
  ) {}

  /** @returns null when nothing is left to remove */
  find(conversationId: string): Promise<ConversationRemoval | null> {
    return this.removals.findOneBy({ conversationId });
  }

  /** Records a removal; one that is known already stays as it is. */
  async add(transaction: EntityManager, { settleSeconds, ...removal }: NewRemoval): Promise<void> {
    await transaction
      .createQueryBuilder()
      .insert()
      .into(ConversationRemoval)
      .values({ ...removal, settlesAt: () => `now() + interval '${settleSeconds} seconds'` })
      .orIgnore()
      .execute();
  }

  /** Nothing is left. */
  async end(conversationId: string): Promise<void> {
    await this.removals.delete({ conversationId });
  }

  /** The ids of the conversations that wait for the agent server of a sandbox's own. */
  async idsWaitingFor(transaction: EntityManager, sandboxId: string): Promise<string[]> {
    const rows = await transaction.find(ConversationRemoval, {
      select: { conversationId: true },
      where: { sandboxId, baseUrl: IsNull() },
    });
    return rows.map(({ conversationId }) => conversationId);
  }
}
