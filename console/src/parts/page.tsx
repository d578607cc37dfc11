import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../text';
import { useKeepFocus } from './keep-focus';

/** The content of one page: its heading gets the focus when the page is opened, as that of a new document would. */
export function Page(props: {
  title: string;
  /** Beside the heading. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const { title } = props;
  const page = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useKeepFocus(page);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    document.title = `${title} · ${texts.console.title}`;
  }, [title]);
  return (
    <div ref={page}>
      <div class="page-head">
        <h1 tabIndex={-1} ref={heading} dir="auto">
          {title}
        </h1>
        {props.actions}
      </div>
      {props.children}
    </div>
  );
}

/** A part of a page with a heading of its own. */
export function Section(props: {
  title: string;
  /** Beside the heading. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section>
      <div class="page-head">
        <h2 tabIndex={-1}>{props.title}</h2>
        {props.actions}
      </div>
      {props.children}
    </section>
  );
}
