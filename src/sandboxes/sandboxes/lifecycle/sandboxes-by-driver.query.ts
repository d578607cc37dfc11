import { Statement } from '../../../kernel/database';

/** How many sandboxes of a driver there are. */
export interface SandboxesOfDriver {
  readonly driver: string;
  readonly sandboxes: number;
}

/**
 * Sandboxes that are not deleted, and those of which something is left, by their drivers. By hand because they are of two
 * tables.
 */
export const SANDBOXES_BY_DRIVER = new Statement<SandboxesOfDriver>(
  `SELECT driver, count(*)::int AS sandboxes
     FROM (SELECT driver FROM sandboxes WHERE status <> 'MISSING' UNION ALL SELECT driver FROM sandbox_leftovers) found
    GROUP BY driver ORDER BY driver`,
);
