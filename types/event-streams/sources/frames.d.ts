/** Why the service ends a stream; those in `RESUMABLE` are worth a new request. */
export declare const END_REASONS: readonly ["conversation_deleted", "credential_ended", "membership_lost", "permission_lost", "reader_too_slow", "service_stopping", "interrupted"];
export type EndReason = (typeof END_REASONS)[number];
/** The first frame: from where a client resumes that is cut off before the first event. */
export declare function beginFrame(position: number): string;
/** An event; newlines, which JSON has between its tokens only, would part it. */
export declare function eventFrame(position: number, json: string): string;
/** An event without a place, from which nobody resumes. */
export declare function transientFrame(json: string): string;
/** Events that were asked for and are gone, from one position to another. */
export declare function gapFrame(from: number, to: number): string;
/** @param position to resume from from now on; null for the one that is known */
export declare function heartbeatFrame(position: number | null): string;
/** The last frame. */
export declare function endFrame(reason: EndReason): string;
