/** Most characters of the reason that a queue or a message keeps; longer ones are cut. */
export declare const MAX_REASON = 1000;
/** Most characters of the id of an event that a message was sent after; longer ones are cut. */
export declare const MAX_MARK = 512;
