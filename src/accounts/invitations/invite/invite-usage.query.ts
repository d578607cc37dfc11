const HOUR_SECONDS = 3600;
const MINUTE_SECONDS = 60;

/** The windows of time that the limits count in. */
export const WINDOW_SECONDS = { addresses: HOUR_SECONDS, calls: MINUTE_SECONDS } as const;

/** Usage as {@link USAGE_COLUMNS} reads it: pairs of amount and age in seconds, oldest first. */
export interface UsageRow {
  readonly used_addresses: readonly (readonly [number, number])[];
  readonly used_calls: readonly (readonly [number, number])[];
}

/**
 * Reads the usage of organization `$1` and inviter `$2`, for a select list with `m.now`. By hand: part of
 * the one statement that reads all a call needs.
 */
export const USAGE_COLUMNS = `
  (SELECT coalesce(json_agg(json_build_array(addresses, extract(epoch FROM m.now - called_at)) ORDER BY called_at), '[]')
     FROM invitation_calls
    WHERE org_id = $1 AND addresses > 0
      AND called_at > m.now - interval '${WINDOW_SECONDS.addresses} seconds') AS used_addresses,
  (SELECT coalesce(json_agg(json_build_array(1, extract(epoch FROM m.now - called_at)) ORDER BY called_at), '[]')
     FROM invitation_calls
    WHERE inviter_user_id = $2
      AND called_at > m.now - interval '${WINDOW_SECONDS.calls} seconds') AS used_calls`;
