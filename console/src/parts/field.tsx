import { cloneElement, type ComponentChildren, type HTMLAttributes, type JSX, type VNode } from 'preact';
import { useId } from 'preact/hooks';
import { ApiError } from '../api/api-error';

/**
 * A field of a form: its label, a hint, and what the service found wrong with it.
 * @param props.children the one control
 */
export function Field(props: {
  label: string;
  hint?: ComponentChildren;
  /** Why the form was refused: what is said of this field is shown with it. */
  error?: Error | undefined;
  /** Where the service finds the field: `body.role`; what is within it is said with it, too. */
  field?: string;
  /** What is wrong with it, where that is not to be found so. */
  problem?: string | undefined;
  children: VNode<HTMLAttributes>;
}): JSX.Element {
  const id = useId();
  const problem = props.problem ?? (props.field && problemOf(props.error, props.field));
  const described = [
    ...(props.hint ? [`${id}-hint`] : []),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ];
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {cloneElement(props.children, {
        id,
        ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
        ...(problem !== undefined && { 'aria-invalid': true }),
      })}
      {props.hint && <small id={`${id}-hint`}>{props.hint}</small>}
      {problem !== undefined && (
        <small id={`${id}-problem`} class="problem" dir="auto">
          {problem}
        </small>
      )}
    </div>
  );
}

function problemOf(error: Error | undefined, name: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const found = error.fields.filter(({ field }) => field === name || field.startsWith(`${name}.`));
  return found.length === 0 ? undefined : found.map(({ message }) => message).join(' ');
}
