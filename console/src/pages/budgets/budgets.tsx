import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { announce } from '../../parts/announce';
import { useLoad } from '../../parts/load';
import { Page } from '../../parts/page';
import { Empty, Shown } from '../../parts/states';
import { DataTable, NextPages } from '../../parts/table';
import { texts } from '../../text';
import { BudgetForm } from './budget-form';
import { actions, COLUMNS } from './columns';
import { DeleteBudget } from './delete-budget';
import { type Budget, budgetsOf } from './operations';
import { SwitchBudget, SwitchMonthly } from './switch-budgets';

const words = texts.budgets;

/** What is asked for: a form for a new budget, or for one that is there, that it is switched or goes, or that the monthly ones are. */
export type Asked =
  | { readonly what: 'new' }
  | { readonly what: 'change' | 'switch' | 'remove'; readonly budget: Budget }
  | { readonly what: 'switch-monthly'; readonly isOn: boolean };

/** What may be spent on models, and what is spent of it. */
export default function Budgets(): JSX.Element {
  const organization = useOrganization();
  const { query, change } = useAddress();
  const [asked, setAsked] = useState<Asked>();
  const pageId = query['page_id'] ?? null;
  const budgets = useLoad((signal) => budgetsOf(organization, pageId, signal), [organization.id, pageId]);
  const mayChange = organization.can('manage_budgets');
  const close = (): void => setAsked(undefined);
  const done = (sentence: string): void => {
    announce(sentence);
    budgets.reload();
  };
  return (
    <Page
      title={texts.menu.budgets}
      actions={
        <div class="buttons">
          <button type="button" class="secondary outline" onClick={budgets.reload}>
            {words.lookAgain}
          </button>
          {mayChange && (
            <button type="button" onClick={() => setAsked({ what: 'new' })}>
              {words.make}
            </button>
          )}
        </div>
      }
    >
      <p>{words.about}</p>
      <Shown of={budgets}>
        {({ items, next_page_id, areMonthlyOn: isOn }) => (
          <>
            {isOn !== null && (
              <p>
                {isOn ? words.monthlyOn : words.monthlyOff}{' '}
                {mayChange && (
                  <button
                    type="button"
                    class="secondary outline small"
                    onClick={() => setAsked({ what: 'switch-monthly', isOn })}
                  >
                    {isOn ? words.switchMonthlyOff : words.switchMonthlyOn}
                  </button>
                )}
              </p>
            )}
            {items.length === 0 ? (
              <Empty>{words.none}</Empty>
            ) : (
              <DataTable
                caption={texts.menu.budgets}
                rows={items}
                idOf={({ id }) => id}
                columns={[...COLUMNS, ...(mayChange ? [actions(setAsked)] : [])]}
              />
            )}
            <NextPages
              name={texts.menu.budgets}
              pageId={pageId}
              nextPageId={next_page_id}
              onPage={(next) => change({ page_id: next })}
            />
          </>
        )}
      </Shown>
      {asked?.what === 'new' && <BudgetForm onSaved={() => done(words.made)} onClose={close} />}
      {asked?.what === 'change' && (
        <BudgetForm budget={asked.budget} onSaved={() => done(words.saved)} onClose={close} />
      )}
      {asked?.what === 'switch' && (
        <SwitchBudget budget={asked.budget} onSwitched={() => done(words.saved)} onClose={close} />
      )}
      {asked?.what === 'switch-monthly' && (
        <SwitchMonthly isOn={asked.isOn} onSwitched={() => done(words.monthlySaved)} onClose={close} />
      )}
      {asked?.what === 'remove' && (
        <DeleteBudget budget={asked.budget} onDeleted={() => done(words.deleted)} onClose={close} />
      )}
    </Page>
  );
}
