/** Status details of sandboxes whose server did not answer: it may come back by itself. */
export declare const STOPPED_ANSWERING = "The agent server no longer answered.";
/** As {@link STOPPED_ANSWERING}, of one that never did. */
export declare function neverAnsweredWithin(seconds: number): string;
export declare const DELETED = "The sandbox was deleted.";
export declare const HOST_AWAY = "The host of the sandbox does not answer.";
