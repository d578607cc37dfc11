import { Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/common';
import { SandboxReader } from './sandbox-reader';
import { SessionKeyVerifier } from './session-key-verifier';

/** Tells who works in a running sandbox of their own, by its key (docs/contract.md#secrets-for-sandboxes). */
@Injectable()
export class SandboxProof {
  constructor(
    private readonly keys: SessionKeyVerifier,
    private readonly sandboxes: SandboxReader,
  ) {}

  /**
   * Whether a key is that of a running sandbox which this person made in this organization. The key of a server that
   * several sandboxes share proves nothing.
   */
  async isOwn({ userId, orgId }: Person, key: string): Promise<boolean> {
    const caller = await this.keys.verify(key);
    if (caller === null || caller.sandboxId === null) return false;
    if (caller.createdByUserId !== userId || caller.orgId !== orgId) return false;
    const sandbox = await this.sandboxes.byId(caller.sandboxId);
    return sandbox !== null && sandbox.status === 'RUNNING' && !sandbox.stopping;
  }
}
