/** Most characters of the reason that a queue or a message keeps; longer ones are cut. */
export const MAX_REASON = 1_000;

/** Most characters of the id of an event that a message was sent after; longer ones are cut. */
export const MAX_MARK = 512;

/** The bytes of longer messages are counted for their users and organizations, whose counters the database locks then. */
export const COUNTED_BYTES = 4_096;

/** Whether the bytes of a message are counted. */
export function isCounted(content: string): boolean {
  return Buffer.byteLength(content) > COUNTED_BYTES;
}
