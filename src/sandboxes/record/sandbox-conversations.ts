import { Injectable } from '@nestjs/common';

/** Tells which conversations live in a sandbox; whoever keeps conversations registers. */
@Injectable()
export class SandboxConversations {
  private source: (sandboxId: string) => Promise<readonly string[]> = () => Promise.resolve([]);

  /** @param source ids of the conversations of a sandbox that are not deleted */
  register(source: (sandboxId: string) => Promise<readonly string[]>): void {
    this.source = source;
  }

  idsOf(sandboxId: string): Promise<readonly string[]> {
    return this.source(sandboxId);
  }
}
