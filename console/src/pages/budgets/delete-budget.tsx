import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { Confirm } from '../../parts/modal';
import { texts } from '../../text';
import { budgetName } from './columns';
import { type Budget, deleteBudget } from './operations';

const words = texts.budgets;

/** Deletes a budget, after it is said what that does. */
export function DeleteBudget(props: {
  budget: Budget;
  onDeleted: () => void;
  onClose: () => void;
}): JSX.Element {
  const { budget, onDeleted, onClose } = props;
  const organization = useOrganization();
  return (
    <Confirm
      title={words.deleteTitle}
      label={words.remove}
      action={async () => {
        await deleteBudget(organization, budget);
        onDeleted();
      }}
      onClose={onClose}
    >
      <p dir="auto">{budgetName(budget)}</p>
      <p>{words.deleteText}</p>
    </Confirm>
  );
}
