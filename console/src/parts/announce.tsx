import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

let tell: (text: string) => void = () => undefined;

/** Says a text to whoever does not see that something has changed, and shows it for some seconds to everybody else. */
export function announce(text: string): void {
  tell(text);
}

/** The place where {@link announce} speaks; one in the document. */
export function Announcer(): JSX.Element {
  const [text, setText] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    tell = (next) => {
      clearTimeout(timer);
      setText(next);
      timer = setTimeout(() => setText(''), 6_000);
    };
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="announcer" role="status" aria-live="polite">
      {text}
    </div>
  );
}
