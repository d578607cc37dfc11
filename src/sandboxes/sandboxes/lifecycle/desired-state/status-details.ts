/** Status details of sandboxes whose server did not answer: it may come back by itself. */
export const STOPPED_ANSWERING = 'The agent server no longer answered.';

/** As {@link STOPPED_ANSWERING}, of one that never did. */
export function neverAnsweredWithin(seconds: number): string {
  return `The agent server did not answer within ${seconds} seconds.`;
}

/** Of a sandbox whose driver is not there, as that of an extension that was removed. */
export function deletedWithout(driver: string): string {
  return `The sandbox was deleted here. What it runs on was not: there is no sandbox driver ${driver} any more.`;
}

export const DELETED = 'The sandbox was deleted.';
export const HOST_AWAY = 'The host of the sandbox does not answer.';
