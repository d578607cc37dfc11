import { Injectable } from '@nestjs/common';
import type { SandboxCaller } from '../../auth';
import { SecretNotFoundError, UserSecretsRepository } from '../../secrets';
import type { SandboxSecretNames } from './sandboxes.dto';
import { SandboxesService } from './sandboxes.service';

/**
 * The secrets of a sandbox's creator, for clients that run an agent of their own in it (docs/contract.md#secrets). A
 * server that several sandboxes share gets none here: whoever works on it could read those of all.
 */
@Injectable()
export class SandboxSecrets {
  constructor(
    private readonly sandboxes: SandboxesService,
    private readonly secrets: UserSecretsRepository,
  ) {}

  /** @throws SandboxNotFoundError */
  async names(caller: SandboxCaller, sandboxId: string): Promise<SandboxSecretNames> {
    const { createdByUserId: userId, orgId } = await this.sandboxes.speaksFor(caller, sandboxId);
    const kept = caller.sandboxId === null ? [] : await this.secrets.ofPerson({ userId, orgId });
    return { secrets: kept.map(({ name, description }) => ({ name, description })) };
  }

  /** @throws SandboxNotFoundError, SecretNotFoundError */
  async value(caller: SandboxCaller, sandboxId: string, name: string): Promise<string> {
    const { createdByUserId: userId, orgId } = await this.sandboxes.speaksFor(caller, sandboxId);
    const value = caller.sandboxId === null ? null : await this.secrets.value({ userId, orgId }, name);
    if (value === null) throw new SecretNotFoundError();
    return value;
  }
}
