import { Injectable } from '@nestjs/common';
import { SandboxConversations } from '../../../sandboxes/sandboxes';
import { ConversationRepository } from '../record/conversation.repository';

/** Lets sandboxes know their conversations: those whose agents work, and those to pause before the sandbox is. */
@Injectable()
export class ConversationsOfSandbox {
  constructor(conversations: ConversationRepository, sandboxes: SandboxConversations) {
    sandboxes.register({
      idsIn: (sandboxId) => conversations.idsReadyIn(sandboxId),
      idsAtWorkIn: (sandboxId) => conversations.idsAtWorkIn(sandboxId),
    });
  }
}
