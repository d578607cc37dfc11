import type { JSX } from 'preact';

/** Where the whole of a bar ends. */
const WHOLE = 100;

/**
 * What of a limit is spent, what is reserved beside it, and from where on little is left, as a bar; who does not see it has the
 * figures beside it.
 */
export function SpendingBar(props: {
  limit: number;
  spent: number;
  reserved: number;
  softPercent: number | null;
}): JSX.Element {
  const { limit, spent, reserved, softPercent } = props;
  const until = (amount: number): number => (limit === 0 ? WHOLE : Math.min(WHOLE, (amount / limit) * WHOLE));
  const spentTo = until(spent);
  return (
    <svg
      class={spent >= limit ? 'spending full' : 'spending'}
      viewBox={`0 0 ${WHOLE} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="spending-limit" width={WHOLE} height="10" />
      <rect class="spending-reserved" x={spentTo} width={until(spent + reserved) - spentTo} height="10" />
      <rect class="spending-spent" width={spentTo} height="10" />
      {softPercent !== null && <line class="spending-soft" x1={softPercent} x2={softPercent} y2="10" />}
    </svg>
  );
}
