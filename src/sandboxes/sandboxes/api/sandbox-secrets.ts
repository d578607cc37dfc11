import { Injectable } from '@nestjs/common';
import { type SandboxCaller, StandingAccess } from '../../../kernel/auth';
import type { Person } from '../../../kernel/common';
import { SecretNotFoundError, UserSecretsRepository } from '../../../accounts/secrets';
import { running } from '../access/running-sandbox';
import { SandboxReader } from '../access/sandbox-reader';
import { SandboxNotFoundError } from '../record/sandboxes.errors';
import type { SandboxSecretNames } from './sandboxes.dto';
import { SandboxesService } from './sandboxes.service';

/**
 * The secrets of a sandbox's creator, for clients that run an agent of their own in it
 * (docs/contract.md#secrets-for-sandboxes). A server that several sandboxes share gets none here: whoever works on it
 * could read those of all.
 */
@Injectable()
export class SandboxSecrets {
  constructor(
    private readonly sandboxes: SandboxesService,
    private readonly reader: SandboxReader,
    private readonly secrets: UserSecretsRepository,
    private readonly access: StandingAccess,
  ) {}

  /** @throws SandboxNotFoundError, SandboxFailedError, SandboxNotRunningError */
  async names(caller: SandboxCaller, sandboxId: string): Promise<SandboxSecretNames> {
    const creator = await this.creatorOf(caller, sandboxId);
    const kept = caller.sandboxId === null ? [] : await this.secrets.ofPerson(creator);
    return { secrets: kept.map(({ name, description }) => ({ name, description })) };
  }

  /** @throws SandboxNotFoundError, SandboxFailedError, SandboxNotRunningError, SecretNotFoundError */
  async value(caller: SandboxCaller, sandboxId: string, name: string): Promise<string> {
    const creator = await this.creatorOf(caller, sandboxId);
    const value = caller.sandboxId === null ? null : await this.secrets.value(creator, name);
    if (value === null) throw new SecretNotFoundError();
    return value;
  }

  /** The creator of the running sandbox whose key the caller has, while a member of its organization. */
  private async creatorOf(caller: SandboxCaller, sandboxId: string): Promise<Person> {
    const { id, orgId, createdByUserId: userId, byLink } = await this.sandboxes.speaksFor(caller, sandboxId);
    running(await this.reader.byId(id));
    if ((await this.access.presentMembers([{ userId, orgId }])).length === 0)
      throw new SandboxNotFoundError();
    return { userId, orgId, byLink };
  }
}
