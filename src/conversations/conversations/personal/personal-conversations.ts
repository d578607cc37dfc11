import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import {
  type Counts,
  type ErasureRun,
  type ExportedRecords,
  pagedLines,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../../accounts/personal-data';
import { ConversationDeletion } from '../app-conversations/conversation-deletion';
import {
  COUNT,
  DELETE_STARTS,
  DELETED,
  EMPTY,
  EMPTY_REPOSITORY,
  EXPORTED,
  type ExportedConversation,
  FORGET_USAGE,
  LEFT,
} from './personal-conversations.query';

const PAGE = 200;
/** Rows of usage in a transaction. */
const MOST_USAGE = 5_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * A person's conversations. They are deleted as by themselves, one after the other: agent servers are told, and sandboxes made for
 * them end. What is left then has no more than figures and ids.
 */
@Injectable()
export class PersonalConversations implements PersonalPart {
  readonly name = 'conversations';

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly deletion: ConversationDeletion,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  exports({ userId, orgId }: PersonalScope): readonly ExportedRecords[] {
    const page = (after: ExportedConversation | null) =>
      EXPORTED.rows(this.database, [userId, orgId, after?.id ?? FIRST, PAGE]);
    return [{ name: this.name, lines: () => pagedLines(page, (row) => row) }];
  }

  async count({ userId, orgId }: PersonalScope): Promise<Counts> {
    const [row] = await COUNT.rows(this.database, [userId, orgId]);
    return { ...row };
  }

  async end({ userId, orgId }: PersonalScope, run: ErasureRun): Promise<void> {
    for (;;) {
      const left = await LEFT.rows(this.database, [userId, orgId, PAGE]);
      if (left.length === 0) return;
      for (const { id } of left) {
        await this.deletion.remove(id);
        await run.done('conversation');
      }
    }
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    for await (const ids of this.deletedOf(scope)) {
      await this.database.transaction(async (transaction) => {
        await DELETE_STARTS.rows(transaction, [ids]);
        await EMPTY.rows(transaction, [ids]);
        await EMPTY_REPOSITORY.rows(transaction, [ids]);
      });
      await run.done(this.name);
    }
    for (;;) {
      const [row] = await FORGET_USAGE.rows(this.database, [scope.userId, scope.orgId, MOST_USAGE]);
      await run.done('usage');
      if ((row?.forgotten ?? 0) < MOST_USAGE) return;
    }
  }

  /** The ids of a person's conversations that are not deleted, in portions. */
  async *idsOf({ userId, orgId }: PersonalScope): AsyncGenerator<string[]> {
    let after = FIRST;
    for (;;) {
      const rows = await EXPORTED.rows(this.database, [userId, orgId, after, PAGE]);
      if (rows.length === 0) return;
      yield rows.map(({ id }) => id);
      after = rows.at(-1)?.id ?? after;
    }
  }

  /** The ids of a person's conversations that were deleted, in portions: others delete what they keep of them. */
  async *deletedOf({ userId, orgId }: PersonalScope): AsyncGenerator<string[]> {
    let after = FIRST;
    for (;;) {
      const rows = await DELETED.rows(this.database, [userId, orgId, after, PAGE]);
      if (rows.length === 0) return;
      yield rows.map(({ id }) => id);
      after = rows.at(-1)?.id ?? after;
    }
  }
}
