import {
  agentServerLlm,
  condenser,
  type ConversationAgent,
  enabledServers,
  type NamedLlm,
} from '../../../../agents/agent-settings';
import { TASK_TAG } from '../../start-tasks/start-task-status';
import { StartFailedError } from '../tasks/start-failed.error';

/** The input of a conversation's start call. */
export interface AgentRequestParts {
  readonly conversationId: string;
  readonly taskId: string;
  readonly workingDir: string;
  /** Agent, model and options. */
  readonly agent: ConversationAgent;
  /** The model where nothing names one; null where one has to be named. */
  readonly builtInModel: string | null;
  /** How the agent reaches a model. */
  readonly reach: (llm: NamedLlm) => NamedLlm;
  readonly plans: boolean;
  readonly maxBudget: number | null;
  readonly plugins: readonly unknown[];
  /** The text about their parameters for the agent. */
  readonly pluginParameters: string | null;
  /** What the request adds to the instructions of the agent. */
  readonly systemMessageSuffix: string | null;
  /** As the agent server found them, for the context of the agent. */
  readonly skills: readonly unknown[];
  /** Marketplaces to load plugins from. */
  readonly registrations: readonly unknown[];
  readonly secrets: Readonly<Record<string, string>>;
  readonly title: string | null;
}

const WORK_TOOLS = ['terminal', 'file_editor', 'task_tracker'];
const PLAN_TOOLS = ['glob', 'grep', 'task_tracker'];
const PLAN_ADVICE =
  'Only plan: read what you need, change nothing, and answer with a plan that another agent can carry out.';

/**
 * The body of the call that starts a conversation at its agent server. The initial message is not in it:
 * it is the first of the queue (docs/contract.md#start-request).
 * @throws StartFailedError when no model is known and the agent server needs one
 */
export function agentRequest(parts: AgentRequestParts): Record<string, unknown> {
  const { settings } = parts.agent;
  const llm = llmOf(parts);
  const summarizer = condenser(llm, settings);
  const servers = enabledServers(settings.mcpConfig);
  const advice = [parts.plans ? PLAN_ADVICE : null, parts.pluginParameters, parts.systemMessageSuffix].filter(
    (text) => text !== null && text !== '',
  );
  return {
    conversation_id: parts.conversationId,
    workspace: { working_dir: parts.workingDir },
    agent: {
      llm: { stream: true, ...llm },
      ...(summarizer !== null && { condenser: summarizer }),
      ...(Object.keys(servers).length > 0 && { mcp_config: servers }),
      tools: (parts.plans ? PLAN_TOOLS : WORK_TOOLS).map((name) => ({ name })),
      agent_context: {
        skills: parts.skills,
        registered_marketplaces: parts.registrations,
        ...(advice.length > 0 && { system_message_suffix: advice.join('\n\n') }),
      },
    },
    ...(parts.plugins.length > 0 && { plugins: parts.plugins }),
    secrets: Object.fromEntries(
      Object.entries(parts.secrets).map(([name, value]) => [name, { kind: 'StaticSecret', value }]),
    ),
    ...confirmation(parts.agent),
    ...(settings.maxIterations !== null && { max_iterations: settings.maxIterations }),
    ...(parts.maxBudget !== null && { max_budget_per_task: parts.maxBudget }),
    tags: { [TASK_TAG]: parts.taskId },
    autotitle: parts.title === null,
  };
}

function llmOf({ agent: { llm }, builtInModel, reach }: AgentRequestParts): Record<string, unknown> {
  const model = llm.model ?? builtInModel;
  if (model === null)
    throw new StartFailedError(
      'No model is configured: choose one in your settings, set LLM_MODEL, or name one as llm_model.',
    );
  return agentServerLlm(reach({ ...llm, model }), 'agent');
}

/** Which actions wait for a confirmation; left out where nothing is set. */
function confirmation({ settings }: ConversationAgent): Record<string, unknown> {
  if (settings.confirmationMode !== true) return {};
  return settings.securityAnalyzer === 'llm'
    ? { confirmation_policy: { kind: 'ConfirmRisky' }, security_analyzer: { kind: 'LLMSecurityAnalyzer' } }
    : { confirmation_policy: { kind: 'AlwaysConfirm' } };
}
