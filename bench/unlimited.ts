/** Settings of a service whose requests are not limited: a benchmark sends more of them than any client. */
export const UNLIMITED = {
  READ_CALLS_PER_MINUTE: '0',
  SEND_CALLS_PER_MINUTE: '0',
  LIFECYCLE_CALLS_PER_MINUTE: '0',
  WEBHOOK_CALLS_PER_MINUTE: '0',
} as const;
