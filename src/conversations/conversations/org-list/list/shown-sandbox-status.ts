/**
 * `shownSandboxStatus` as SQL, for filters that run in the query: of a conversation `c` and its sandbox `s`,
 * all null where it has none.
 */
export const SHOWN_SANDBOX_STATUS = `
  CASE
    WHEN s.id IS NULL AND c.sandbox_id IS NOT NULL THEN 'MISSING'
    WHEN s.id IS NULL AND c.start_state = 'failed' THEN 'ERROR'
    WHEN s.id IS NULL THEN 'STARTING'
    WHEN c.start_state = 'starting' AND s.status IN ('RUNNING', 'PAUSED') THEN 'STARTING'
    WHEN s.stopping IS NOT NULL THEN 'PAUSED'
    ELSE s.status
  END`;
