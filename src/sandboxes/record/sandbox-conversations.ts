import { Injectable } from '@nestjs/common';

/** Which conversations live in a sandbox; the module that keeps conversations registers itself here. */
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
