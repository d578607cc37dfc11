/* Limits of webhooks (docs/webhooks.md#limits). */

export const MAX_URL = 2_048;
export const MAX_DESCRIPTION = 500;
export const MAX_KINDS = 100;
export const MAX_CONVERSATION_IDS = 100;
/** The limit of conversations. */
export const MAX_TAGS_BYTES = 128 * 1024;
/** Bytes of a body that is sent. */
export const MAX_PAYLOAD_BYTES = 20 * 1024;
/** Most characters of what went wrong; longer texts are cut. */
export const MAX_ERROR = 1_000;
/** Bytes of an answer that are kept. */
export const MAX_ANSWER_BYTES = 1_024;
