import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import type { Values } from '../../parts/form';
import { Confirm } from '../../parts/modal';
import { texts } from '../../text';
import { budgetName } from './columns';
import { About, aboutOf } from './about';
import { type Budget, changeBudget, makeBudget } from './operations';
import { Reason } from './reason';

const words = texts.budgets;

const MOST_USD = 1_000_000_000;

/** Asks for a new budget, or for other limits of one that is there: for higher ones with the reason. */
export function BudgetForm(props: {
  budget?: Budget;
  onSaved: () => void;
  onClose: () => void;
}): JSX.Element {
  const { budget, onSaved, onClose } = props;
  const organization = useOrganization();
  return (
    <Confirm
      title={budget === undefined ? words.make : words.changeTitle}
      label={budget === undefined ? words.makeButton : words.save}
      action={async (value) => {
        const limits = limitsOf(value);
        if (budget === undefined)
          await makeBudget(organization, { ...(await aboutOf(organization, value)), ...limits });
        else {
          const reason = value('reason');
          await changeBudget(organization, budget, { ...limits, ...(reason !== '' && { reason }) });
        }
        onSaved();
      }}
      onClose={onClose}
    >
      {(error: Error | undefined) => (
        <>
          {budget === undefined ? <About error={error} /> : <p dir="auto">{budgetName(budget)}</p>}
          <Limits budget={budget} error={error} />
        </>
      )}
    </Confirm>
  );
}

/** How much, and, where that is more than before, why. */
function Limits({ budget, error }: { budget: Budget | undefined; error: Error | undefined }): JSX.Element {
  const [usd, setUsd] = useState(textOf(budget?.limit_usd));
  const [tokens, setTokens] = useState(textOf(budget?.limit_tokens));
  const isRaised =
    budget !== undefined &&
    (isMore(numberOrNull(usd), budget.limit_usd) || isMore(numberOrNull(tokens), budget.limit_tokens));
  return (
    <>
      <Field label={words.limitUsd} hint={words.limitUsdHint} error={error} field="body.limit_usd">
        <input
          name="limit_usd"
          type="number"
          inputMode="decimal"
          min={0}
          max={MOST_USD}
          step="any"
          // A budget limits something.
          required={tokens === ''}
          value={usd}
          onInput={({ currentTarget }) => setUsd(currentTarget.value)}
        />
      </Field>
      <Field label={words.limitTokens} hint={words.limitTokensHint} error={error} field="body.limit_tokens">
        <input
          name="limit_tokens"
          type="number"
          inputMode="numeric"
          min={0}
          max={Number.MAX_SAFE_INTEGER}
          value={tokens}
          onInput={({ currentTarget }) => setTokens(currentTarget.value)}
        />
      </Field>
      <Field label={words.softPercent} hint={words.softPercentHint} error={error} field="body.soft_percent">
        <input
          name="soft_percent"
          type="number"
          inputMode="numeric"
          min={1}
          max={100}
          defaultValue={budget === undefined ? 80 : (budget.soft_percent ?? '')}
        />
      </Field>
      {isRaised && <Reason label={words.reason} error={error} isNeeded />}
    </>
  );
}

function limitsOf(value: Values) {
  return {
    limit_usd: numberOrNull(value('limit_usd')),
    limit_tokens: numberOrNull(value('limit_tokens')),
    soft_percent: numberOrNull(value('soft_percent')),
  };
}

/** Whether a limit lets more through than another one; null is none. */
function isMore(limit: number | null, before: number | null): boolean {
  return before !== null && (limit === null || limit > before);
}

function numberOrNull(text: string): number | null {
  return text === '' ? null : Number(text);
}

function textOf(limit: number | null | undefined): string {
  return String(limit ?? '');
}
