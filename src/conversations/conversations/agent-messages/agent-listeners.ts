import { Injectable } from '@nestjs/common';

/** Waits until those hear what an agent writes who are about to; bounded, and never rejects. */
type ListenersWait = (conversationId: string) => Promise<void>;

/** Lets whoever has a message for an agent wait for those who want to hear what it writes. */
@Injectable()
export class AgentListeners {
  private readonly waits: ListenersWait[] = [];

  /** Adds some who listen. */
  register(wait: ListenersWait): void {
    this.waits.push(wait);
  }

  /** Waits, before the agent of a conversation gets a message, for all who are about to listen. */
  async areThere(conversationId: string): Promise<void> {
    await Promise.all(this.waits.map((wait) => wait(conversationId)));
  }
}
