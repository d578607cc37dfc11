import { appError } from '../../../kernel/common';

/** 409: messages that were on their way had the agent run again (docs/contract.md#stopping-a-conversation). */
export const AgentRunsAgainError = appError(
  409,
  'agent_runs_again',
  'The agent was stopped, and runs again since another message reached it: stop it once more.',
);
