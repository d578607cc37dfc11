import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Repository } from 'typeorm';
import {
  type Counts,
  type ErasureRun,
  type ExportedRecords,
  inLine,
  pagedLines,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../../accounts/personal-data';
import { PersonalConversations } from '../../conversations';
import { MessageQueue } from '../record/message-queue.entity';
import { COUNT_MESSAGES, EXPORTED_MESSAGES, type ExportedMessage } from './personal-messages.read-model';

const FIRST = '00000000-0000-0000-0000-000000000000';

/** The messages that a person queued. */
@Injectable()
export class PersonalMessages implements PersonalPart {
  readonly name = 'messages';

  constructor(
    @InjectRepository(MessageQueue) private readonly queues: Repository<MessageQueue>,
    private readonly conversations: PersonalConversations,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  exports({ userId, orgId }: PersonalScope): readonly ExportedRecords[] {
    const page = (after: ExportedMessage | null) =>
      EXPORTED_MESSAGES.rows(this.queues.manager, [
        userId,
        orgId,
        after?.queue_id ?? FIRST,
        after?.rank ?? '-1',
      ]);
    return [{ name: this.name, lines: () => pagedLines(page, toLine) }];
  }

  async count({ userId, orgId }: PersonalScope): Promise<Counts> {
    const [row] = await COUNT_MESSAGES.rows(this.queues.manager, [userId, orgId]);
    return { ...row };
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    const { userId, orgId } = scope;
    for await (const ids of this.conversations.deletedOf(scope)) {
      await this.queues.delete({ conversationId: In(ids) });
      await run.done(this.name);
    }
    // What was queued for conversations that never came.
    await this.queues.delete({ userId, conversationId: IsNull(), ...(orgId !== null && { orgId }) });
    await run.done(this.name);
  }
}

function toLine({ id, conversation_id, state, created_at, delivered_at, content }: ExportedMessage): string {
  const about = JSON.stringify({ id, conversation_id, state, created_at, delivered_at });
  return `${about.slice(0, -1)},"content":${inLine(content)}}`;
}
