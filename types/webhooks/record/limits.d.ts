export declare const MAX_URL = 2048;
export declare const MAX_DESCRIPTION = 500;
export declare const MAX_KINDS = 100;
export declare const MAX_CONVERSATION_IDS = 100;
/** As conversations have at most. */
export declare const MAX_TAGS_BYTES: number;
/** Bytes of a body that is sent. */
export declare const MAX_PAYLOAD_BYTES: number;
/** Most characters of what went wrong; longer texts are cut. */
export declare const MAX_ERROR = 1000;
/** Bytes of an answer that are kept. */
export declare const MAX_ANSWER_BYTES = 1024;
