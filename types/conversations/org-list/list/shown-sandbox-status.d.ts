/**
 * `shownSandboxStatus` as SQL, for filters that run in the query: of a conversation `c` and its sandbox `s`,
 * all null where it has none.
 */
export declare const SHOWN_SANDBOX_STATUS = "\n  CASE\n    WHEN s.id IS NULL AND c.sandbox_id IS NOT NULL THEN 'MISSING'\n    WHEN s.id IS NULL AND c.start_state = 'failed' THEN 'ERROR'\n    WHEN s.id IS NULL THEN 'STARTING'\n    WHEN c.start_state = 'starting' AND s.status IN ('RUNNING', 'PAUSED') THEN 'STARTING'\n    WHEN s.stopping IS NOT NULL THEN 'PAUSED'\n    ELSE s.status\n  END";
