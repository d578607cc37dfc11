import { AgentServerClient } from '../../agent-server';
import { ConversationAgents } from '../../agent-settings';
import type { Caller } from '../../auth';
import { SandboxLifecycle, WaitingCalls } from '../../sandboxes';
import { ConversationAccess } from '../access/conversation-access';
import { SendTargets } from '../send-message/send-targets';
import type { ConversationSkill, GitChange, GitDiff } from './views.dto';
/** What the agent server of a running conversation knows about it (docs/contract.md#views-of-a-conversation). */
export declare class ConversationViews {
    private readonly targets;
    private readonly access;
    private readonly agents;
    private readonly agentServers;
    private readonly lifecycle;
    private readonly waiting;
    constructor(targets: SendTargets, access: ConversationAccess, agents: ConversationAgents, agentServers: AgentServerClient, lifecycle: SandboxLifecycle, waiting: WaitingCalls);
    /** The skills in the folder that its agent works in. All methods throw the errors of send-message. */
    skills(caller: Caller, id: string): Promise<ConversationSkill[]>;
    /** The files below a folder, as paths relative to it; empty if the sandbox runs no commands. */
    files(caller: Caller, id: string, path: string): Promise<string[]>;
    /** @throws PathOutsideWorkspaceError, FileNotFoundError */
    file(caller: Caller, id: string, path: string): Promise<string>;
    /** Empty if the folder is not a repository. @throws PathOutsideWorkspaceError */
    changes(caller: Caller, id: string, path: string): Promise<GitChange[]>;
    /** @throws PathOutsideWorkspaceError, FileNotFoundError */
    diff(caller: Caller, id: string, path: string): Promise<GitDiff>;
    /**
     * Switches to the model of a profile.
     * @throws ProfileNotFoundError, ModelNotSwitchedError
     */
    switchProfile(caller: Caller, id: string, name: string): Promise<void>;
    /** Switches the model of an agent that runs over ACP. @throws ModelNotSwitchedError */
    switchAcpModel(caller: Caller, id: string, model: string): Promise<void>;
    private switched;
    private view;
}
