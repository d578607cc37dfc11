import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { cut, texts } from '../../text';

/** A page stays quick: no text is shown longer than this. */
const MOST = 200_000;

/** People's text as it is, its beginning at first. */
export function LongText({ text, length = 2_000 }: { text: string; length?: number }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  return (
    <div class="long-text">
      <p class="text" dir="auto">
        {cut(text, isWhole ? MOST : length)}
      </p>
      {isWhole && text.length > MOST && <p>{texts.conversations.tooLong}</p>}
      {!isWhole && text.length > length && (
        <button type="button" class="secondary outline small" onClick={() => setWhole(true)}>
          {texts.conversations.showAll}
        </button>
      )}
    </div>
  );
}

/** Something as JSON, which is written when somebody looks. */
export function Json({ value, name }: { value: unknown; name: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.conversations.json}</summary>
      {isOpen && (
        <pre tabIndex={0} role="group" aria-label={name}>
          {cut(JSON.stringify(value, null, 2), MOST)}
        </pre>
      )}
    </details>
  );
}
