import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Gives an element the focus; where it is gone, the heading of the page. */
export function focusOrHeading(element: Element | null): void {
  if (element instanceof HTMLElement && element !== document.body && element.isConnected) element.focus();
  else document.querySelector('h1')?.focus();
}

/**
 * Keeps the focus on the page where what has it goes away, as a button does with its row: then the heading of the dialog, of
 * the section, or of the page gets it, whichever is nearest and can have it.
 * @param within what is looked after, whenever it is rendered
 */
export function useKeptFocus(within: RefObject<HTMLElement | null>): void {
  const holder = useRef<Element | null>(null);
  const { activeElement } = document;
  holder.current = within.current?.contains(activeElement) ? activeElement : null;
  useLayoutEffect(() => {
    const { current } = holder;
    if (current === null || (current.isConnected && !current.matches(':disabled'))) return;
    focusOrHeading(within.current?.closest('dialog, section')?.querySelector('h2[tabindex]') ?? null);
  });
}
