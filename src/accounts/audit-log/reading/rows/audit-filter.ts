import type { OUTCOMES } from '../../../../kernel/domain-events';

/** Which rows are read; what is null lets all through. */
export interface AuditFilter {
  /** Then or later. */
  readonly since: Date | null;
  /** Before then. */
  readonly until: Date | null;
  /** The user who acted. */
  readonly actor: string | null;
  readonly action: string | null;
  /** The id of what it was done to. */
  readonly target: string | null;
  readonly outcome: (typeof OUTCOMES)[number] | null;
}

/** Lets all rows through. */
export const EVERYTHING: AuditFilter = {
  since: null,
  until: null,
  actor: null,
  action: null,
  target: null,
  outcome: null,
};
