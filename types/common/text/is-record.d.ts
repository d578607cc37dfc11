/** Whether a value is an object with keys: no list, no null. */
export declare function isRecord(value: unknown): value is Record<string, unknown>;
