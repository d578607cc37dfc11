import { Injectable } from '@nestjs/common';

/** Waits until everybody who is about to subscribe to an agent has done so; bounded, and never rejects. */
type ListenersWait = (conversationId: string) => Promise<void>;

/** Lets the sender of a message to an agent wait for the subscribers to what it writes. */
@Injectable()
export class AgentListeners {
  private readonly waits: ListenersWait[] = [];

  /** Registers a source of listeners. */
  register(wait: ListenersWait): void {
    this.waits.push(wait);
  }

  /** Waits for all pending listeners before the agent of a conversation gets a message. */
  async areThere(conversationId: string): Promise<void> {
    await Promise.all(this.waits.map((wait) => wait(conversationId)));
  }
}
