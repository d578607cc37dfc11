/** The tag by which a start task knows the conversation it made at an agent server. */
export const TASK_TAG = 'starttask';
