import { Injectable } from '@nestjs/common';
import type { RunningSandbox } from '../../../../sandboxes/sandboxes';
import { UserSecretsRepository } from '../../../../accounts/secrets';
import { TASK_TAG } from '../../start-tasks/task-tag';
import { StartSecrets } from '../tasks/start-secrets';
import { agentRequest, type AgentRequestParts } from '../agent/agent-request';
import { StartFailedError } from '../tasks/start-failed.error';
import { StartCall } from './start-call';
import { creatorOf, type StartRun } from './start-run';

/** What was prepared for a conversation before its agent server is asked to start it. */
export type PreparedAgent = Pick<
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
  ) {}

  /**
   * Finds the one that an earlier run of the same task has made.
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
