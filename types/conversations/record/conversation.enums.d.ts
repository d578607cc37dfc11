/** Where repositories are hosted (docs/contract.md#start-request). */
export declare const GIT_PROVIDERS: readonly ["github", "gitlab", "bitbucket", "bitbucket_data_center", "forgejo", "azure_devops", "enterprise_sso"];
/** What starts a conversation (docs/contract.md#start-request). */
export declare const TRIGGERS: readonly ["resolver", "gui", "suggested_task", "openhands_api", "slack", "microagent_management", "jira", "jira_dc", "linear", "bitbucket", "automation"];
/** What a suggested task has an agent do (docs/contract.md#start-request). */
export declare const SUGGESTED_TASKS: readonly ["MERGE_CONFLICTS", "FAILING_CHECKS", "UNRESOLVED_COMMENTS", "OPEN_ISSUE"];
/** Whether an agent works or only plans. */
export declare const AGENT_TYPES: readonly ["default", "plan"];
/** What an agent may be doing (docs/contract.md#execution-statuses), in the order its filter names them. */
export declare const EXECUTION_STATUSES: readonly ["idle", "running", "paused", "finished", "error", "stuck"];
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];
/**
 * The status to store of one that an agent server reports: waiting for confirmation shows as paused, and
 * `deleting` or anything unknown is not stored (docs/contract.md#execution-statuses).
 */
export declare function storedExecutionStatus(reported: string): ExecutionStatus | null;
