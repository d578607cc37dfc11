/** Status details of sandboxes whose server did not answer: it may come back by itself. */
export const STOPPED_ANSWERING = 'The agent server no longer answered.';

/** As {@link STOPPED_ANSWERING}, of one that never did. */
export function neverAnsweredWithin(seconds: number): string {
  return `The agent server did not answer within ${seconds} seconds.`;
}

export const DELETED = 'The sandbox was deleted.';
export const HOST_AWAY = 'The host of the sandbox does not answer.';
