import { appError } from '../../../kernel/common';

/** 409: messages that were on their way had the agent run again, or may have (docs/contract.md#stopping-a-conversation). */
export const AgentRunsAgainError = appError(
  409,
  'agent_runs_again',
  'The agent was stopped, and runs again or may do so, since another message reaches it: stop it once more.',
);
