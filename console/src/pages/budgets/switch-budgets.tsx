import type { JSX } from 'preact';
import { useOrganization } from '../../app/organization';
import { Confirm } from '../../parts/modal';
import { texts } from '../../text';
import { budgetName } from './columns';
import { type Budget, changeBudget, switchMonthly } from './operations';
import { Reason } from './reason';

const words = texts.budgets;

/** Switches a budget off, with the reason, or on again. */
export function SwitchBudget(props: {
  budget: Budget;
  onSwitched: () => void;
  onClose: () => void;
}): JSX.Element {
  const { budget, onSwitched, onClose } = props;
  const organization = useOrganization();
  const { enabled: isOn } = budget;
  return (
    <Confirm
      title={isOn ? words.switchOffTitle : words.switchOnTitle}
      label={isOn ? words.switchOff : words.switchOn}
      action={async (value) => {
        await changeBudget(
          organization,
          budget,
          isOn ? { enabled: false, reason: value('reason') } : { enabled: true },
        );
        onSwitched();
      }}
      onClose={onClose}
    >
      {(error: Error | undefined) => (
        <>
          <p dir="auto">{budgetName(budget)}</p>
          <p>{isOn ? words.switchOffText : words.switchOnText}</p>
          {isOn && <Reason label={words.offReason} error={error} isNeeded />}
        </>
      )}
    </Confirm>
  );
}

/** Switches the monthly budgets of the organization, of each user and of users together. */
export function SwitchMonthly(props: {
  isOn: boolean;
  onSwitched: () => void;
  onClose: () => void;
}): JSX.Element {
  const { isOn, onSwitched, onClose } = props;
  const organization = useOrganization();
  return (
    <Confirm
      title={isOn ? words.switchMonthlyOff : words.switchMonthlyOn}
      label={isOn ? words.switchOff : words.switchOn}
      action={async (value) => {
        await switchMonthly(organization, { enabled: !isOn, reason: value('reason') || null });
        onSwitched();
      }}
      onClose={onClose}
    >
      {(error: Error | undefined) => (
        <>
          <p>{isOn ? words.monthlyOffText : words.monthlyOnText}</p>
          <Reason label={isOn ? words.offReason : words.onReason} error={error} isNeeded={false} />
        </>
      )}
    </Confirm>
  );
}
