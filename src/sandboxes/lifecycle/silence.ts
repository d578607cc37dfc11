/** Status details of sandboxes whose server did not answer: it may come back by itself. */
export const NO_LONGER_ANSWERED = 'The agent server no longer answered.';

/** As {@link NO_LONGER_ANSWERED}, of one that never did. */
export function notAnsweredWithin(seconds: number): string {
  return `The agent server did not answer within ${seconds} seconds.`;
}
