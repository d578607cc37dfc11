import type { JSX } from 'preact';
import { Field } from '../../parts/field';
import { texts } from '../../text';

const words = texts.budgets;

const MAX_REASON = 1_000;

/** Why a budget is changed, for the audit log. */
export function Reason(props: { label: string; error: Error | undefined; isNeeded: boolean }): JSX.Element {
  return (
    <Field label={props.label} hint={words.reasonHint} error={props.error} field="body.reason">
      <textarea name="reason" required={props.isNeeded} rows={2} maxLength={MAX_REASON} dir="auto" />
    </Field>
  );
}
