import type { AriaAttributes, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useLoad, useSoon } from './load';

const PAUSE_MS = 250;

/** A field for a text that may be one of many known ones: those that have what is typed in them are offered. */
export function Suggested(
  props: {
    /** What is offered; where it cannot be found out, nothing is. */
    search: (typed: string, signal: AbortSignal) => Promise<readonly string[]>;
    name: string;
    maxLength: number;
    defaultValue: string;
    id?: string;
    required?: boolean;
    autofocus?: boolean;
  } & AriaAttributes,
): JSX.Element {
  const { search, ...input } = props;
  const list = useId();
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState('');
  const look = useSoon(() => setWanted(typed), PAUSE_MS);
  const { data: known = [] } = useLoad((signal) => search(wanted, signal), [wanted]);
  return (
    <>
      <datalist id={list}>
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <input
        {...input}
        type="text"
        list={list}
        autocomplete="off"
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          look();
        }}
      />
    </>
  );
}
