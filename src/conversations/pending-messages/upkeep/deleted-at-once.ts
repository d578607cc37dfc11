import { MEBIBYTE } from '../../../kernel/common';

/** What one statement deletes well within its time limit, whichever is less; one message it deletes in any case. */
export const DELETED_AT_ONCE = { messages: 10_000, bytes: 256 * MEBIBYTE };
