import { type SandboxCaller, StandingAccess } from '../../auth';
import { UserSecretsRepository } from '../../secrets';
import { SandboxReader } from '../record/sandbox.ports';
import type { SandboxSecretNames } from './sandboxes.dto';
import { SandboxesService } from './sandboxes.service';
/**
 * The secrets of a sandbox's creator, for clients that run an agent of their own in it
 * (docs/contract.md#secrets-for-sandboxes). A server that several sandboxes share gets none here: whoever works on it
 * could read those of all.
 */
export declare class SandboxSecrets {
    private readonly sandboxes;
    private readonly reader;
    private readonly secrets;
    private readonly access;
    constructor(sandboxes: SandboxesService, reader: SandboxReader, secrets: UserSecretsRepository, access: StandingAccess);
    /** @throws SandboxNotFoundError, SandboxFailedError, SandboxNotRunningError */
    names(caller: SandboxCaller, sandboxId: string): Promise<SandboxSecretNames>;
    /** @throws SandboxNotFoundError, SandboxFailedError, SandboxNotRunningError, SecretNotFoundError */
    value(caller: SandboxCaller, sandboxId: string, name: string): Promise<string>;
    /** The creator of the running sandbox whose key the caller has, while a member of its organization. */
    private creatorOf;
}
