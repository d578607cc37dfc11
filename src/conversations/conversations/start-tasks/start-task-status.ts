/** The stages of a start, in their order, and its two ends (docs/contract.md#start-tasks). */
export const START_TASK_STATUSES = [
  'WORKING',
  'WAITING_FOR_SANDBOX',
  'PREPARING_REPOSITORY',
  'RUNNING_SETUP_SCRIPT',
  'SETTING_UP_GIT_HOOKS',
  'SETTING_UP_SKILLS',
  'STARTING_CONVERSATION',
  'READY',
  'ERROR',
] as const;

export type StartTaskStatus = (typeof START_TASK_STATUSES)[number];

/** True when nothing more will happen. */
export function isOver(status: StartTaskStatus): boolean {
  return status === 'READY' || status === 'ERROR';
}

/** The tag by which a start task knows the conversation it made at an agent server. */
export const TASK_TAG = 'starttask';
