import type { Request, Response } from 'express';
import { AgentServerClient } from '../../agent-server';
import { RequestLimits } from '../../request-limits';
import { DoorSandboxes } from '../admission/door-sandboxes';
import type { DoorTarget } from '../admission/door-target';
/** Whether a request is a health check of an agent server. */
export declare function asksForHealth(method: string | undefined, { path }: DoorTarget): boolean;
/**
 * `GET /health` without a key. Existing clients send it before they use an agent server, which replies to anybody; here
 * the service makes the check itself, and nothing of the caller or the sandbox passes.
 */
export declare class HealthQuestion {
    private readonly sandboxes;
    private readonly agentServers;
    private readonly limits;
    constructor(sandboxes: DoorSandboxes, agentServers: AgentServerClient, limits: RequestLimits);
    /**
     * @throws RequestLimitError, SandboxNotFoundError for one that is unknown or does not run,
     *   AgentServerUnavailableError
     */
    answer(request: Request, response: Response, target: DoorTarget): Promise<void>;
}
