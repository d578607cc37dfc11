import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../../../kernel/auth';
import type { SandboxInfo } from './sandboxes.dto';
import { SandboxesService } from './sandboxes.service';

/**
 * Sandboxes, from inside (docs/extending.md#from-inside): a user has their own, the service all of its organization.
 */
@Injectable()
export class Sandboxes {
  constructor(private readonly sandboxes: SandboxesService) {}

  /** A sandbox; its key and addresses are for its creator only. @throws SandboxNotFoundError also for one that is gone */
  async find(actor: Actor, id: string): Promise<SandboxInfo> {
    return this.sandboxes.info(actor, await this.sandboxes.require(actor, id));
  }

  /**
   * Starts a paused sandbox, or one that failed, again; nothing happens to one that runs.
   * @param transaction the caller's: it starts once that commits. Whether what runs it is there is not asked first then.
   * @throws SandboxNotFoundError, SandboxNotResumableError, ConcurrencyLimitReachedError, SandboxDriverUnavailableError
   */
  resume(actor: Actor, id: string, transaction?: EntityManager): Promise<void> {
    return this.sandboxes.resume(actor, id, transaction);
  }

  /**
   * Pauses a sandbox, with all conversations in it.
   * @param transaction the caller's: it pauses once that commits. Whether its host is there is not asked first then.
   * @throws SandboxNotFoundError, SandboxNotPausableError, SandboxDriverUnavailableError
   */
  pause(actor: Actor, id: string, transaction?: EntityManager): Promise<void> {
    return this.sandboxes.pause(actor, id, transaction);
  }
}
