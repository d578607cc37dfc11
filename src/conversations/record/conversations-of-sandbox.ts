import { Injectable } from '@nestjs/common';
import { SandboxConversations } from '../../sandboxes';
import { ConversationRepository } from './conversation.repository';

/** Lets sandboxes know their conversations, whose agents are paused before the sandbox is. */
@Injectable()
export class ConversationsOfSandbox {
  constructor(conversations: ConversationRepository, sandboxes: SandboxConversations) {
    sandboxes.register((sandboxId) => conversations.idsReadyIn(sandboxId));
  }
}
