import { Injectable } from '@nestjs/common';
import { TooManyWaitingCallsError } from '../record/sandboxes.errors';

/** Calls of clients that wait for an agent server at a time, for each replica (docs/contract.md#waiting-calls). */
const MAX_PER_CONVERSATION = 16;
const MAX_PER_SANDBOX = 32;

/**
 * Bounds how many clients wait for the responses of agent servers: one conversation that hangs takes neither the
 * connections of a server that others share, nor the memory of the service.
 */
@Injectable()
export class WaitingCalls {
  private readonly ofConversation = new Count(MAX_PER_CONVERSATION);
  private readonly ofSandbox = new Count(MAX_PER_SANDBOX);

  /**
   * Makes a call for a client, which waits meanwhile.
   * @throws TooManyWaitingCallsError when as many wait already; the call is not made then
   */
  async run<Result>(sandboxId: string, conversationId: string, call: () => Promise<Result>): Promise<Result> {
    if (this.ofConversation.isFull(conversationId)) throw new TooManyWaitingCallsError('conversation');
    if (this.ofSandbox.isFull(sandboxId)) throw new TooManyWaitingCallsError('sandbox');
    this.ofConversation.add(conversationId, 1);
    this.ofSandbox.add(sandboxId, 1);
    try {
      return await call();
    } finally {
      this.ofConversation.add(conversationId, -1);
      this.ofSandbox.add(sandboxId, -1);
    }
  }
}

/** Numbers by id, of which only those above zero are kept. */
class Count {
  private readonly numbers = new Map<string, number>();

  constructor(private readonly max: number) {}

  isFull(id: string): boolean {
    return this.of(id) >= this.max;
  }

  add(id: string, step: 1 | -1): void {
    const number = this.of(id) + step;
    if (number === 0) this.numbers.delete(id);
    else this.numbers.set(id, number);
  }

  private of(id: string): number {
    return this.numbers.get(id) ?? 0;
  }
}
