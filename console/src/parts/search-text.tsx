import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** How long somebody who types is waited for. */
const TYPING_MS = 300;

/** A text that is looked for when its reader has stopped typing. */
export function SearchText(props: {
  value: string;
  onSearch: (text: string) => void;
  /** From the field around it. */
  id?: string;
}): JSX.Element {
  const { value, onSearch, ...attributes } = props;
  const [text, setText] = useState(value);
  const search = useRef(onSearch);
  search.current = onSearch;
  // What was asked for here comes back as the value, maybe when more has been typed; anything else is from elsewhere.
  const asked = useRef(value);
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => {
      asked.current = text;
      search.current(text);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      {...attributes}
      type="search"
      dir="auto"
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
