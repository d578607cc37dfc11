import { Injectable } from '@nestjs/common';

/** What a module that keeps conversations knows of those in a sandbox. */
export interface ConversationSource {
  /** The ids of those that are not deleted. */
  idsIn(sandboxId: string): Promise<readonly string[]>;
  /** The ids of those of them whose agents were last reported to run. */
  idsAtWorkIn(sandboxId: string): Promise<readonly string[]>;
}

/** Which conversations live in a sandbox; the module that keeps conversations registers itself here. */
@Injectable()
export class SandboxConversations {
  private source: ConversationSource = {
    idsIn: () => Promise.resolve([]),
    idsAtWorkIn: () => Promise.resolve([]),
  };

  register(source: ConversationSource): void {
    this.source = source;
  }

  /** Those of a sandbox that are not deleted. */
  idsOf(sandboxId: string): Promise<readonly string[]> {
    return this.source.idsIn(sandboxId);
  }

  /** Those of them whose agents were last reported to run. */
  idsAtWork(sandboxId: string): Promise<readonly string[]> {
    return this.source.idsAtWorkIn(sandboxId);
  }
}
