import { SecretBox } from '../../common';
import type { SealedColumn } from '../../database';
import type { Sandbox } from './sandbox.entity';
/** Where the keys are kept. */
export declare const SEALED_SESSION_KEYS: SealedColumn;
/** Makes, seals and opens the keys between the service and agent servers. */
export declare class SandboxKeys {
    private readonly box;
    constructor(box: SecretBox);
    /** What is stored of a new key. */
    create(sandboxId: string): Pick<Sandbox, 'sealedSessionKey' | 'sessionKeyDigest'>;
    /** The key of a sandbox; null when it has none of its own. */
    open(sandboxId: string, sealed: string | null): string | null;
}
