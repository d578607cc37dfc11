import type { RunningSandbox } from '../../../sandboxes';
import { UserSecretsRepository } from '../../../secrets';
import { StartSecrets } from '../tasks/start-secrets';
import { type AgentRequestParts } from '../agent/agent-request';
import { StartCall } from './start-call';
import type { StartRun } from './start-run';
/** What was prepared for a conversation before its agent server is asked to start it. */
export type PreparedAgent = Pick<AgentRequestParts, 'agent' | 'workingDir' | 'maxBudget' | 'plugins' | 'pluginParameters' | 'skills' | 'registrations'>;
/** Makes the conversation of a start at its agent server. */
export declare class AgentConversation {
    private readonly startCall;
    private readonly secrets;
    private readonly kept;
    constructor(startCall: StartCall, secrets: StartSecrets, kept: UserSecretsRepository);
    /**
     * Finds the one that an earlier run of the same task has made.
     * @throws StartFailedError when the agent server has another one with this id, or no model is known;
     *   AgentServerError, LeaseLostError
     */
    start({ task, request, job }: StartRun, sandbox: RunningSandbox, agent: PreparedAgent): Promise<void>;
}
