import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../../database';
import { SANDBOX_COLUMNS, type SandboxRow, SandboxRows, type SandboxView } from '../../sandboxes';
import type { ConversationRow } from '../record/conversation-rows';

/** What of a conversation decides about a message to it. `sandbox_id` is null also for an unknown sandbox. */
export type TargetConversation = Pick<
  ConversationRow,
  'id' | 'org_id' | 'created_by_user_id' | 'start_state' | 'sandbox_id'
>;

/** Where a message goes. */
export interface SendTarget {
  readonly conversation: TargetConversation;
  /** Null when the conversation has none, or an unknown one. */
  readonly sandbox: SandboxView | null;
}

/** The one look-up of a message on its way, beside those of the caller that are remembered for a moment. */
const TARGET = new PreparedStatement<TargetConversation & SandboxRow>(
  'send-target',
  `SELECT c.id, c.org_id, c.created_by_user_id, c.start_state, ${SANDBOX_COLUMNS}
     FROM conversations c LEFT JOIN sandboxes s ON s.id = c.sandbox_id
    WHERE c.id = $1 AND c.deleted_at IS NULL`,
);

/** Reads where messages go: a conversation and its sandbox in one statement. */
@Injectable()
export class SendTargets {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sandboxes: SandboxRows,
  ) {}

  /** @returns null for an unknown or deleted conversation */
  async find(conversationId: string): Promise<SendTarget | null> {
    const [row] = await TARGET.rows(this.database, [conversationId]);
    return row === undefined ? null : { conversation: row, sandbox: this.sandboxes.viewOf(row) };
  }
}
