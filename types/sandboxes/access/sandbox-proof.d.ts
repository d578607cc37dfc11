import type { Person } from '../../common';
import { SandboxReader } from '../record/sandbox.ports';
import { SessionKeyVerifier } from './session-key-verifier';
/** Tells who works in a running sandbox of their own, by its key (docs/contract.md#secrets-for-sandboxes). */
export declare class SandboxProof {
    private readonly keys;
    private readonly sandboxes;
    constructor(keys: SessionKeyVerifier, sandboxes: SandboxReader);
    /**
     * Whether a key is that of a running sandbox which this person made in this organization. The key of a server that
     * several sandboxes share proves nothing.
     */
    isOwn({ userId, orgId }: Person, key: string): Promise<boolean>;
}
