import type { operations } from '../../api/schema';
import type { Address } from '../../parts/address';

type Query = NonNullable<operations['listAuditLog']['parameters']['query']>;

export const OUTCOMES = ['success', 'refused', 'failed'] as const satisfies Query['outcome'][];

/** The filters of the log, as the operations have them. */
const NAMES = ['since', 'until', 'actor', 'action', 'target', 'outcome'] as const satisfies (keyof Query)[];

/** Which rows are read; what is null lets all through. */
export type AuditFilters = Pick<Query, (typeof NAMES)[number]>;

/** The filters that the address has. */
export function filtersOf({ query }: Pick<Address, 'query'>): AuditFilters {
  return {
    since: query['since'] ?? null,
    until: query['until'] ?? null,
    actor: query['actor'] ?? null,
    action: query['action'] ?? null,
    target: query['target'] ?? null,
    outcome: OUTCOMES.find((outcome) => outcome === query['outcome']) ?? null,
  };
}

/** As a part of an address; empty where there is no filter. */
export function queryOf(filters: AuditFilters): string {
  const set = NAMES.flatMap((name) => {
    const value = filters[name] ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return new URLSearchParams(set).toString();
}
