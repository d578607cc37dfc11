import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';

/** What is shown below a button: it closes by Escape, which gives the focus back, and when the focus goes elsewhere. */
export function Dropdown(props: {
  name: ComponentChildren;
  class?: string;
  /** Whether it looks as buttons do, and not as fields. */
  isButton?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const details = useRef<HTMLDetailsElement>(null);
  const close = (): void => details.current?.removeAttribute('open');
  return (
    <details
      ref={details}
      class={`dropdown ${props.class ?? ''}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || details.current?.open !== true) return;
        event.preventDefault();
        close();
        details.current.querySelector('summary')?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && details.current?.contains(relatedTarget) === false) close();
      }}
    >
      {props.isButton === true ? (
        <summary role="button" class="secondary outline">
          {props.name}
        </summary>
      ) : (
        <summary>{props.name}</summary>
      )}
      {props.children}
    </details>
  );
}
