import { type DomainEventOf } from '../../domain-events';
import { SandboxStore } from '../record/sandbox-store';
import { FormerMembers } from './former-members.read-model';
/**
 * Pauses the sandboxes of a member who was removed (docs/contract.md#member-rules). Skipped when
 * the user has rejoined.
 */
export declare class MemberOffboarding {
    private readonly formerMembers;
    private readonly store;
    constructor(formerMembers: FormerMembers, store: SandboxStore);
    /** The name of its jobs is that of releases without domain events, whose stored jobs it still runs. */
    pauseAll({ org_id, user_id }: DomainEventOf<'member.removed'>): Promise<void>;
}
