import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SandboxConversations } from '../../sandboxes';

/** Lets sandboxes know their conversations, whose agents are paused before the sandbox is. */
@Injectable()
export class ConversationsOfSandbox {
  constructor(@InjectDataSource() database: DataSource, sandboxes: SandboxConversations) {
    sandboxes.register(async (sandboxId) => {
      const rows = await database.query<{ id: string }[]>(
        `SELECT id FROM conversations
         WHERE sandbox_id = $1 AND start_state = 'ready' AND deleted_at IS NULL`,
        [sandboxId],
      );
      return rows.map(({ id }) => id);
    });
  }
}
