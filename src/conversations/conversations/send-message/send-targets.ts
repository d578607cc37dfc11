import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SandboxReader, type SandboxView } from '../../../sandboxes/sandboxes';
import { SEND_TARGET, type TargetConversation } from './send-target.read-model';

/** Where a message goes. */
export interface SendTarget {
  readonly conversation: TargetConversation;
  /** Null when the conversation has none, or an unknown one. */
  readonly sandbox: SandboxView | null;
}

/** Reads where messages go: a conversation and its sandbox in one statement. */
@Injectable()
export class SendTargets {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly sandboxes: SandboxReader,
  ) {}

  /** @returns null for an unknown or deleted conversation */
  async find(conversationId: string): Promise<SendTarget | null> {
    const [row] = await SEND_TARGET.rows(this.database, [conversationId]);
    return row === undefined ? null : { conversation: row, sandbox: this.sandboxes.viewOf(row) };
  }
}
