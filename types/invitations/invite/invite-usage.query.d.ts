/** The windows of time that the limits count in. */
export declare const WINDOW_SECONDS: {
    readonly addresses: 3600;
    readonly calls: 60;
};
/** Usage as {@link USAGE_COLUMNS} reads it: pairs of amount and age in seconds, oldest first. */
export interface UsageRow {
    readonly used_addresses: readonly (readonly [number, number])[];
    readonly used_calls: readonly (readonly [number, number])[];
}
/**
 * Reads the usage of organization `$1` and inviter `$2`, for a select list with `m.now`. By hand: part of
 * the one statement that reads all a call needs.
 */
export declare const USAGE_COLUMNS: string;
