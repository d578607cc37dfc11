/** Most characters of the reason that a queue or a message keeps; longer ones are cut. */
export const MAX_REASON = 1_000;

/** Most characters of the id of an event that a message was sent after; longer ones are cut. */
export const MAX_MARK = 512;
