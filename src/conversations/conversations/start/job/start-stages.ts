import { Injectable } from '@nestjs/common';
import { type ConversationAgent, ConversationAgents, ModelReach } from '../../../../agents/agent-settings';
import { ModelNotAllowedError } from '../../../../agents/model-policy';
import { BudgetExhaustedError, Budgets } from '../../../../agents/budgets';
import type { RunningSandbox } from '../../../../sandboxes/sandboxes';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import { type StartTaskStatus, TASK_TAG } from '../../start-tasks/start-task-status';
import { pluginSetup } from '../agent/plugins';
import { SkillSetup } from '../agent/skill-setup';
import type { LaunchedWith } from '../../record/conversation.repository';
import { StartFailedError } from '../tasks/start-failed.error';
import { creatorOf, fencedTask, type StartRun } from './start-run';
import { Workspace, type WorkspaceRequest } from '../workspace/workspace';
import { UserSecretsRepository } from '../../../../accounts/secrets';
import { StartSecrets } from '../tasks/start-secrets';
import { agentRequest, type AgentRequestParts } from '../agent/agent-request';
import { StartCall } from './start-call';

/** What the stages prepare before the start call. */
type PreparedAgent = Pick<
  AgentRequestParts,
  'agent' | 'workingDir' | 'maxBudget' | 'plugins' | 'pluginParameters' | 'skills' | 'registrations'
>;

/** Makes the conversation of a start at its agent server. */
@Injectable()
export class AgentConversation {
  constructor(
    private readonly startCall: StartCall,
    private readonly secrets: StartSecrets,
    private readonly kept: UserSecretsRepository,
    private readonly models: ModelReach,
  ) {}

  /**
   * Finds the conversation that an earlier run of the same task created.
   * @throws StartFailedError when the agent server has another one with this id, or no model is known;
   *   AgentServerError, LeaseLostError
   */
  async start(
    { task, request, job }: StartRun,
    sandbox: RunningSandbox,
    agent: PreparedAgent,
  ): Promise<void> {
    const body = agentRequest({
      ...agent,
      conversationId: task.conversationId,
      taskId: task.id,
      builtInModel: sandbox.builtInModel,
      reach: (llm) => this.models.ofAgent(llm, task.conversationId, sandbox.builtInModel),
      plans: request.agent_type === 'plan',
      secrets: { ...(await this.kept.opened(creatorOf(task, sandbox))), ...this.secrets.open(task) },
      systemMessageSuffix: request.system_message_suffix,
      title: request.title,
    });
    const wanted = { server: sandbox.agentServer, id: task.conversationId, body };
    const { created, info } = await this.startCall.make(wanted, job);
    if (!created && info.tags?.[TASK_TAG] !== task.id)
      throw new StartFailedError('The agent server has another conversation with this id already.');
  }
}

/** The stages of a start in a running sandbox; every one may be run again. */
@Injectable()
export class StartStages {
  constructor(
    private readonly tasks: StartTaskRepository,
    private readonly workspace: Workspace,
    private readonly skills: SkillSetup,
    private readonly agents: ConversationAgents,
    private readonly models: ModelReach,
    private readonly conversation: AgentConversation,
    private readonly budgets: Budgets,
  ) {}

  /**
   * @returns what the conversation was launched with
   * @throws StartFailedError, StartTaskFencedError, LeaseLostError, AgentServerError
   */
  async run(run: StartRun, sandbox: RunningSandbox): Promise<LaunchedWith> {
    const agent = await this.agents.forConversation(creatorOf(run.task, sandbox), {
      model: run.request.llm_model,
      agentProfileId: run.request.agent_profile_id,
    });
    if (run.request.agent_profile_id !== null && agent.profile === null)
      throw new StartFailedError('The agent profile was deleted before the conversation started.');
    if (agent.missingModelProfile !== null)
      await this.addDetail(
        run,
        `There is no model profile ${agent.missingModelProfile}, which the agent profile names: the conversation runs on what it would without.`,
      );
    await this.checkModel(run, sandbox, agent.llm.model ?? sandbox.builtInModel);
    const exhausted = await this.budgets.exhaustedFor(run.task.conversationId);
    if (exhausted !== null) throw new StartFailedError(new BudgetExhaustedError(exhausted).message);
    const folder = await this.prepareWorkspace(run, sandbox, agent);
    const prepared = await this.setUpSkills(run, sandbox, { folder, agent });
    await this.enter(run, 'STARTING_CONVERSATION');
    await this.conversation.start(run, sandbox, prepared);
    return { profile: agent.profile, maxBudgetPerTask: prepared.maxBudget };
  }

  /** What the request was checked for may have changed since then. */
  private async checkModel(run: StartRun, sandbox: RunningSandbox, model: string | null): Promise<void> {
    if (model === null) return;
    try {
      await this.models.check(creatorOf(run.task, sandbox), model);
    } catch (error) {
      if (error instanceof ModelNotAllowedError) throw new StartFailedError(error.message);
      throw error;
    }
  }

  /** @returns the folder that the conversation works in */
  private async prepareWorkspace(
    run: StartRun,
    sandbox: RunningSandbox,
    { settings }: ConversationAgent,
  ): Promise<string> {
    const { signal } = run.job;
    const work = workOf(run);
    await this.enter(run, 'PREPARING_REPOSITORY', sandbox.publicUrl ?? undefined);
    const folder = this.workspace.folderOf(sandbox.workingDir, work);
    if (work.repository === null) return folder;
    const owned = { ...work, ...creatorOf(run.task, sandbox), fenced: fencedTask(run) };
    if (!sandbox.runsCommands) {
      for (const sentence of await this.workspace.fetch(sandbox.agentServer, folder, owned, signal))
        await this.addDetail(run, sentence);
      return folder;
    }
    await this.workspace.clone(sandbox.agentServer, folder, owned, signal);
    await this.addDetail(run, await this.workspace.setAuthor(sandbox.agentServer, folder, settings, signal));
    await this.enter(run, 'RUNNING_SETUP_SCRIPT');
    await this.addDetail(run, await this.workspace.runSetupScript(sandbox.agentServer, folder, signal));
    await this.enter(run, 'SETTING_UP_GIT_HOOKS');
    await this.addDetail(run, await this.workspace.installGitHook(sandbox.agentServer, folder, signal));
    return folder;
  }

  private async setUpSkills(
    run: StartRun,
    sandbox: RunningSandbox,
    { folder, agent }: { readonly folder: string; readonly agent: ConversationAgent },
  ): Promise<PreparedAgent> {
    await this.enter(run, 'SETTING_UP_SKILLS');
    const disabled = new Set(agent.settings.disabledSkills);
    const setup = await this.skills.setUp(
      sandbox.agentServer,
      folder,
      creatorOf(run.task, sandbox),
      run.job.signal,
    );
    const { notes, plugins, parameters } = pluginSetup(run.request.plugins);
    for (const sentence of [...setup.notes, ...notes]) await this.addDetail(run, sentence);
    return {
      agent,
      workingDir: folder,
      maxBudget: setup.maxBudgetPerTask,
      plugins,
      pluginParameters: parameters,
      skills: setup.skills.filter(({ name }) => !disabled.has(name)),
      registrations: setup.registrations,
    };
  }

  private enter(run: StartRun, status: StartTaskStatus, agentServerUrl?: string): Promise<void> {
    return this.tasks.advance(fencedTask(run), status, agentServerUrl);
  }

  private async addDetail(run: StartRun, sentence: string | null): Promise<void> {
    if (sentence !== null) await this.tasks.addDetail(fencedTask(run), sentence);
  }
}

function workOf({ task, request }: StartRun): WorkspaceRequest {
  return {
    conversationId: task.conversationId,
    repository: request.selected_repository,
    branch: request.selected_branch,
    provider: request.git_provider,
  };
}
