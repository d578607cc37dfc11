/** Settings of a service whose requests are not limited: a benchmark is one user or stranger, and sends more than any client. */
export const UNLIMITED = {
  READ_CALLS_PER_MINUTE: '0',
  SEND_CALLS_PER_MINUTE: '0',
  LIFECYCLE_CALLS_PER_MINUTE: '0',
  WEBHOOK_CALLS_PER_MINUTE: '0',
  PUBLIC_CALLS_PER_MINUTE: '0',
  OPEN_PER_USER: '20000',
  OPEN_STREAMS: '20000',
  ORGANIZATION_SHARE_PERCENT: '100',
} as const;
