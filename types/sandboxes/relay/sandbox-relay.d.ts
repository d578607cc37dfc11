import { AgentServerClient } from '../../agent-server';
import { type Caller, OrgResolution } from '../../auth';
import { SessionKeyVerifier } from '../access/session-key-verifier';
import { WaitingCalls } from '../access/waiting-calls';
import { SandboxLifecycle, SandboxReader } from '../record/sandbox.ports';
import type { RelayedCall } from './relay.dto';
/** The response of an agent server. */
export interface RelayedResponse {
    readonly status: number;
    readonly bytes: Buffer;
}
/**
 * Makes calls for pages that cannot make them themselves, to the agent servers of the user's own sandboxes only
 * (docs/contract.md#relayed-calls).
 */
export declare class SandboxRelay {
    private readonly keys;
    private readonly sandboxes;
    private readonly organizations;
    private readonly lifecycle;
    private readonly waiting;
    private readonly agentServers;
    constructor(keys: SessionKeyVerifier, sandboxes: SandboxReader, organizations: OrgResolution, lifecycle: SandboxLifecycle, waiting: WaitingCalls, agentServers: AgentServerClient);
    /**
     * @returns the response, whatever its status
     * @throws RelayCallRefusedError, RelayTargetRefusedError, TooManyWaitingCallsError, AgentServerUnavailableError
     */
    relay(caller: Caller, call: RelayedCall, signal: AbortSignal): Promise<RelayedResponse>;
    private target;
    /** Null for an unknown key, and for the key of a shared server. */
    private ofKey;
}
