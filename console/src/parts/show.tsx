import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { announce } from './announce';
import { ago, dateTime, exactTime, language, texts } from '../text';

/** A time: how long ago it is, and when exactly. */
export function When({ at }: { at: string | null | undefined }): JSX.Element {
  if (at === null || at === undefined) return <>–</>;
  return (
    <time dateTime={at} title={dateTime(at)} lang={language}>
      {ago(at)}
    </time>
  );
}

/** A time to the second. */
export function At({ at }: { at: string }): JSX.Element {
  return (
    <time dateTime={at} lang={language}>
      {exactTime(at)}
    </time>
  );
}

/** Copies a text. @param props.source where it stands, to be copied by hand where the browser gives no clipboard */
function Copy(props: {
  value: string;
  source: RefObject<HTMLElement | null>;
  /** What it is, where several can be copied. */
  name?: string;
}): JSX.Element {
  const { value, source, name } = props;
  const [isCopied, setCopied] = useState(false);
  const label = isCopied ? texts.states.copied : texts.states.copy;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      // Over plain http browsers give none.
      if (source.current !== null) getSelection()?.selectAllChildren(source.current);
      announce(texts.states.copyByHand);
    }
  };
  return (
    <button
      type="button"
      class={name === undefined ? 'secondary' : 'secondary outline small'}
      aria-label={name === undefined ? undefined : `${label}: ${name}`}
      onClick={() => void copy()}
      aria-live="polite"
    >
      {label}
    </button>
  );
}

/** A value that other programs ask for, with a button that copies it. */
export function Copyable({ name, value }: { name: string; value: string }): JSX.Element {
  const code = useRef<HTMLElement>(null);
  return (
    <>
      <code ref={code}>{value}</code> <Copy {...{ value, name }} source={code} />
    </>
  );
}

/**
 * A secret that was just made, with a button that copies it.
 * @param props.note instead of the one that it is shown once
 */
export function Secret({ name, value, note }: { name: string; value: string; note?: string }): JSX.Element {
  const id = useId();
  const code = useRef<HTMLElement>(null);
  return (
    <article>
      <h3 id={id}>{name}</h3>
      <p dir="auto">{note ?? texts.states.shownOnce}</p>
      <code class="secret" ref={code} tabIndex={0} aria-labelledby={id}>
        {value}
      </code>
      <Copy value={value} source={code} />
    </article>
  );
}

/** What is known of something, each fact with its name; those that are undefined or null are left out. */
export function Facts({ of }: { of: Readonly<Record<string, ComponentChildren>> }): JSX.Element {
  return (
    <dl class="facts">
      {Object.entries(of)
        .filter(([, fact]) => fact !== undefined && fact !== null)
        .map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{fact}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Short texts, one below the other. */
export function TextList({ of }: { of: readonly string[] }): JSX.Element {
  return (
    <ul>
      {of.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

/** A text of a program as it is; a value of JSON is written out. */
export function Verbatim({ of }: { of: unknown }): JSX.Element {
  return (
    <pre class="verbatim" dir="auto">
      {typeof of === 'string' ? of : JSON.stringify(of, null, 2)}
    </pre>
  );
}
