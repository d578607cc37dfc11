import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { When } from '../../parts/show';
import { SpendingBar } from '../../parts/spending-bar';
import { type Column, RowAction, RowActions } from '../../parts/table';
import { dateTime, money, number, say, texts } from '../../text';
import type { Asked } from './budgets';
import { type Budget, hasSubject } from './operations';

const words = texts.budgets;

/** What a budget is about, in words. */
export function budgetName({ scope, subject, user_email: email, period }: Budget): string {
  const about = hasSubject(scope)
    ? say(words.named[scope], { subject: email ?? subject ?? '' })
    : words.scopes[scope];
  return say(words.name, { about, period: words.periods[period] });
}

function About({ of }: { of: Budget }): JSX.Element {
  const { path, can } = useOrganization();
  const { scope, subject, user_email: email } = of;
  return (
    <>
      {words.scopes[scope]}
      {subject !== null && (
        <small class="below">
          {scope === 'conversation' && can('view_org_conversations') ? (
            <a href={path(`conversations/${subject}`)}>{subject}</a>
          ) : (
            (email ?? subject)
          )}
        </small>
      )}
    </>
  );
}

/** What is spent of a limit, and what calls under way may cost; of one for each user what all have spent together. */
function Spending(props: {
  limit: number | null;
  spent: number;
  reserved: number;
  softPercent: number | null;
  isOfEach: boolean;
  show: (value: number) => string;
}): JSX.Element {
  const { limit, spent, reserved, softPercent, isOfEach, show } = props;
  if (limit === null)
    return (
      <>
        {show(spent)}
        <small class="below">{words.noLimit}</small>
      </>
    );
  if (isOfEach)
    return (
      <>
        {say(words.each, { limit: show(limit) })}
        <small class="below">{say(words.together, { spent: show(spent) })}</small>
      </>
    );
  return (
    <>
      {say(words.spentOf, { spent: show(spent), limit: show(limit) })}
      <SpendingBar {...{ limit, spent, reserved, softPercent }} />
      {reserved > 0 && <small class="below">{say(words.reserved, { reserved: show(reserved) })}</small>}
    </>
  );
}

/** Whether more may be spent; where not, from when on again. */
function State({ of }: { of: Budget }): JSX.Element {
  const { exhausted_at: exhausted, soft_reached_at: soft, resets_at: resets } = of;
  if (!of.enabled) return <>{words.states.off}</>;
  return (
    <>
      {exhausted !== null ? (
        <mark>{words.states.exhausted}</mark>
      ) : soft !== null ? (
        <mark>{words.states.soft}</mark>
      ) : (
        words.states.open
      )}
      {exhausted !== null && (
        <small class="below">
          {words.since} <When at={exhausted} />
        </small>
      )}
      <small class="below">
        {resets === null
          ? exhausted !== null && words.untilRaised
          : say(exhausted === null ? words.resets : words.openAgain, { time: dateTime(resets) })}
      </small>
    </>
  );
}

export const COLUMNS: readonly Column<Budget>[] = [
  { key: 'about', name: words.what, isHeader: true, show: (budget) => <About of={budget} /> },
  { key: 'period', name: words.period, show: ({ period }) => words.periods[period] },
  {
    key: 'usd',
    name: words.dollars,
    show: (budget) => (
      <Spending
        limit={budget.limit_usd}
        spent={budget.spent_usd}
        reserved={budget.reserved_usd}
        softPercent={budget.soft_percent}
        isOfEach={budget.scope === 'each_user'}
        show={money}
      />
    ),
  },
  {
    key: 'tokens',
    name: words.tokens,
    show: (budget) => (
      <Spending
        limit={budget.limit_tokens}
        spent={budget.spent_tokens}
        reserved={budget.reserved_tokens}
        softPercent={budget.soft_percent}
        isOfEach={budget.scope === 'each_user'}
        show={number}
      />
    ),
  },
  {
    key: 'soft',
    name: words.softLimit,
    isFigure: true,
    show: ({ soft_percent: percent }) => (percent === null ? '–' : say(words.percent, { percent })),
  },
  { key: 'state', name: words.state, show: (budget) => <State of={budget} /> },
];

/** The buttons of a budget. */
export function actions(ask: (asked: Asked) => void): Column<Budget> {
  return {
    key: 'actions',
    name: texts.table.actions,
    show: (budget) => (
      <RowActions>
        <RowAction
          label={words.change}
          of={budgetName(budget)}
          onClick={() => ask({ what: 'change', budget })}
        />
        <RowAction
          label={budget.enabled ? words.switchOff : words.switchOn}
          of={budgetName(budget)}
          onClick={() => ask({ what: 'switch', budget })}
        />
        <RowAction
          label={words.remove}
          of={budgetName(budget)}
          onClick={() => ask({ what: 'remove', budget })}
        />
      </RowActions>
    ),
  };
}
