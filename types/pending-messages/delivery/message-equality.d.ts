/**
 * What makes the contents of two messages equal, whatever they leave to defaults.
 * @param content the parsed blocks
 */
export declare function contentFingerprint(content: unknown): string;
/** The fingerprint of the user message in an event; null for any other event. */
export declare function messageFingerprint(event: unknown): string | null;
