import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, type Repository } from 'typeorm';
import { Clock, uuidText } from '../../../kernel/common';
import { JobQueue, JobHandlers, type NewJob, queueOfServer } from '../../../kernel/jobs';
import { SandboxReader } from '../../../sandboxes/sandboxes';
import type { FamilyMember } from '../record/conversation.query';
import { ConversationRemoval } from './conversation-removal.entity';
import { IDLE_REMOVALS } from './idle-removals.read-model';
import { z } from 'zod';

/** Name of the job that removes a deleted conversation from its agent server, as the database has it. */
export const REMOVAL_JOB = 'conversation-removed';

export const removalPayload = z.object({ conversationId: uuidText });

/**
 * That job for one conversation; it waits in one copy only. Those of one server run one at a time, so that a server
 * that hangs takes one worker's place.
 * @param runAt default: at once
 */
export function removalJob(conversationId: string, baseUrl: string | null, runAt?: Date): NewJob {
  return {
    name: REMOVAL_JOB,
    payload: { conversationId },
    key: `remove:${conversationId}`,
    ...(baseUrl !== null && { queue: queueOfServer('remove', baseUrl) }),
    ...(runAt !== undefined && { runAt }),
  };
}

const EVERY_SECONDS = 600;

/** Restarts removals whose job was given up or lost: the server may have been away for days. */
@Injectable()
export class IdleRemovals {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly jobs: JobQueue,
    handlers: JobHandlers,
  ) {
    handlers.every('idle-removals', EVERY_SECONDS, () => this.restart());
  }

  private async restart(): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const idle = await IDLE_REMOVALS.rows(transaction);
      await this.jobs.addAll(
        transaction,
        idle.map(({ id, baseUrl }) => removalJob(id, baseUrl)),
      );
    });
  }
}

/** A removal to record. */
type NewRemoval = Omit<ConversationRemoval, 'settlesAt'> & {
  /** How long a start that is under way may still create the conversation. */
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

/** A start call that is under way ends within a minute, and its agent server may take a moment more. */
const SETTLE_SECONDS = 90;
const LOOK_AGAIN_MS = 2_000;

/** Schedules the removal of deleted conversations from their agent servers (docs/sandboxes.md#deleted-conversations). */
@Injectable()
export class ConversationRemovals {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly removals: ConversationRemovalsRepository,
    private readonly servers: SandboxReader,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Removes conversations once the transaction commits, or when their agent server answers again.
   * @param deletesSandbox whether the sandbox is deleted as well, with an agent server that is its own
   */
  async add(
    transaction: EntityManager,
    sandboxId: string,
    conversations: readonly Pick<FamilyMember, 'id' | 'startTaskId'>[],
    deletesSandbox: boolean,
  ): Promise<void> {
    const server = await this.servers.sharedServerOf(transaction, sandboxId);
    if (server === null && deletesSandbox) return;
    for (const { id, startTaskId } of conversations)
      await this.removals.add(transaction, {
        conversationId: id,
        sandboxId,
        driver: server?.driver ?? null,
        baseUrl: server?.baseUrl ?? null,
        startTaskId,
        settleSeconds: startTaskId === null ? 0 : SETTLE_SECONDS,
      });
    await this.jobs.addAll(
      transaction,
      conversations.map(({ id }) => removalJob(id, server?.baseUrl ?? null)),
    );
  }

  /** Checks again a conversation that a start may still create. */
  async lookAgain({ conversationId, baseUrl }: ConversationRemoval): Promise<void> {
    const at = new Date(this.clock.now().getTime() + LOOK_AGAIN_MS);
    await this.jobs.add(this.database.manager, removalJob(conversationId, baseUrl, at));
  }

  find(conversationId: string): Promise<ConversationRemoval | null> {
    return this.removals.find(conversationId);
  }

  /** Deletes the row of a finished removal. */
  end(conversationId: string): Promise<void> {
    return this.removals.end(conversationId);
  }

  /** Removes a conversation that was deleted before: its start, which was under way, may have made it since. */
  async addDeleted(conversation: Pick<FamilyMember, 'id' | 'startTaskId'>, sandboxId: string): Promise<void> {
    await this.database.transaction((transaction) => this.add(transaction, sandboxId, [conversation], false));
  }
}
