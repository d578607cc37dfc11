import { useAddress } from '../../parts/address';
import { type Measure, MEASURES } from '../../parts/usage';

/** How many days can be looked at. */
export const PERIODS = [7, 30, 90] as const;

/** What is looked at, which the address says. */
export interface View {
  readonly days: number;
  readonly measure: Measure;
  /** The first day, in UTC. */
  readonly from: string;
  readonly change: (changes: { readonly days?: string; readonly by?: string }) => void;
}

const DAY_MS = 86_400_000;

/** What the address says is to be looked at: 30 days and their cost, where it says nothing. */
export function useView(): View {
  const { query, change } = useAddress();
  const days = PERIODS.find((known) => String(known) === query['days']) ?? 30;
  return {
    days,
    measure: MEASURES.find((known) => known === query['by']) ?? 'cost',
    from: new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10),
    change,
  };
}
