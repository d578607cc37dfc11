import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useOrganizationName } from '../app/organization';
import { texts } from '../text';

/** The content of one page: its heading gets the focus when the page is opened, as that of a new document would. */
export function Page(props: {
  title: string;
  /** Beside the heading. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const { title } = props;
  const organization = useOrganizationName();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    document.title = [title, organization ?? [], texts.console.title].flat().join(' · ');
  }, [title, organization]);
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1} ref={heading} dir="auto">
          {title}
        </h1>
        {props.actions}
      </div>
      {props.children}
    </>
  );
}

/** One of several parts of a page, under a heading of its own; what is a landmark in it has its own name. */
export function Section(props: {
  title: string;
  /** Beside the heading. */
  actions?: ComponentChildren;
  /** Whether its heading gets the focus where what has it goes away. */
  keepsFocus?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section>
      <div class="page-head">
        <h2 tabIndex={props.keepsFocus === true ? -1 : undefined}>{props.title}</h2>
        {props.actions}
      </div>
      {props.children}
    </section>
  );
}
