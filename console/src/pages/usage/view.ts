import { useOrganization } from '../../app/organization';
import { type Address, useAddress } from '../../parts/address';
import { type Measure, MEASURES, type UsageGroup } from '../../parts/usage';

/** Whose usage is shown. */
export type Whose = 'organization' | 'own';

/** The periods that have a name; any other is two days. */
export const PERIODS = ['7', '30', '90', 'month', 'last-month', 'days'] as const;
export type Period = (typeof PERIODS)[number];

const GROUPS = ['day', 'user', 'model', 'repository', 'tag'] as const satisfies UsageGroup[];

/** From which day to which, in UTC, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** What is looked at, which the address says. */
export interface View extends Days {
  readonly whose: Whose;
  /** By what it can be told apart. */
  readonly groups: readonly UsageGroup[];
  readonly group: UsageGroup;
  readonly measure: Measure;
  readonly period: Period;
  readonly change: Address['change'];
}

/**
 * What the address says is to be looked at: the cost of 30 days, by day, where it says nothing. Who may not see the usage of the
 * organization sees their own.
 */
export function useView(): View {
  const { can } = useOrganization();
  const { query, change } = useAddress();
  const whose = query['of'] === 'own' || !can('view_org_conversations') ? 'own' : 'organization';
  // All of one's own is of the same user.
  const groups = whose === 'own' ? GROUPS.filter((group) => group !== 'user') : GROUPS;
  const period = PERIODS.find((known) => known === query['period']) ?? '30';
  const { from, to } = daysOf(period);
  const isChosen = period === 'days';
  return {
    whose,
    groups,
    period,
    change,
    group: groups.find((known) => known === query['by']) ?? 'day',
    measure: MEASURES.find((known) => known === query['measure']) ?? 'cost',
    from: (isChosen ? query['from'] : undefined) ?? from,
    to: (isChosen ? query['to'] : undefined) ?? to,
  };
}

const DAY_MS = 86_400_000;

/** The days of a period. */
function daysOf(period: Period): Days {
  const now = new Date();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const to = dayOf(now.getTime());
  if (period === 'month') return { from: dayOf(Date.UTC(year, month, 1)), to };
  if (period === 'last-month')
    return { from: dayOf(Date.UTC(year, month - 1, 1)), to: dayOf(Date.UTC(year, month, 0)) };
  const days = period === 'days' ? 30 : Number(period);
  return { from: dayOf(now.getTime() - (days - 1) * DAY_MS), to };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
