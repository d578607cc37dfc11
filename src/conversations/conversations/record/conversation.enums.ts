/** Where repositories are hosted (docs/contract.md#start-request). */
export const GIT_PROVIDERS = [
  'github',
  'gitlab',
  'bitbucket',
  'bitbucket_data_center',
  'forgejo',
  'azure_devops',
  'enterprise_sso',
] as const;

/** What starts a conversation (docs/contract.md#start-request). */
export const TRIGGERS = [
  'resolver',
  'gui',
  'suggested_task',
  'openhands_api',
  'slack',
  'microagent_management',
  'jira',
  'jira_dc',
  'linear',
  'bitbucket',
  'automation',
] as const;

/** What a suggested task has an agent do (docs/contract.md#start-request). */
export const SUGGESTED_TASKS = [
  'MERGE_CONFLICTS',
  'FAILING_CHECKS',
  'UNRESOLVED_COMMENTS',
  'OPEN_ISSUE',
] as const;

/** Whether an agent works or only plans. */
export const AGENT_TYPES = ['default', 'plan'] as const;

/** What an agent may be doing (docs/contract.md#execution-statuses), in the order its filter names them. */
export const EXECUTION_STATUSES = ['idle', 'running', 'paused', 'finished', 'error', 'stuck'] as const;

export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/**
 * The status to store of one that an agent server reports: waiting for confirmation shows as paused, and
 * `deleting` or anything unknown is not stored (docs/contract.md#execution-statuses).
 */
export function storedExecutionStatus(reported: string): ExecutionStatus | null {
  if (reported === 'waiting_for_confirmation') return 'paused';
  return EXECUTION_STATUSES.find((status) => status === reported) ?? null;
}
