import { ConversationAgents } from '../../../agent-settings';
import type { RunningSandbox } from '../../../sandboxes';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import { AgentConversation } from './agent-conversation';
import { SkillSetup } from '../agent/skill-setup';
import type { LaunchedWith } from '../../record/conversation.repository';
import { type StartRun } from './start-run';
import { Workspace } from '../workspace/workspace';
/** The stages of a start in a running sandbox; every one may be run again. */
export declare class StartStages {
    private readonly tasks;
    private readonly workspace;
    private readonly skills;
    private readonly agents;
    private readonly conversation;
    constructor(tasks: StartTaskRepository, workspace: Workspace, skills: SkillSetup, agents: ConversationAgents, conversation: AgentConversation);
    /**
     * @returns what the conversation was launched with
     * @throws StartFailedError, StartTaskLostError, LeaseLostError, AgentServerError
     */
    run(run: StartRun, sandbox: RunningSandbox): Promise<LaunchedWith>;
    /** @returns the folder that the conversation works in */
    private prepareWorkspace;
    private setUpSkills;
    private enter;
    private addDetail;
}
