import { type RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * Whoever works by keyboard stays where they were: when what has the focus vanishes, as the button of a deleted row does, the
 * nearest thing around it that can have it gets the focus, or the nearest heading.
 * @param within what is looked after
 */
export function useKeepFocus(within: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = within.current;
    if (root === null) return;
    let around: readonly Element[] = [];
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof Element) around = ancestors(target, root);
    };
    const observer = new MutationObserver(() => {
      const isLost = document.activeElement === document.body && around[0]?.isConnected === false;
      if (isLost) homeIn(around)?.focus();
    });
    root.addEventListener('focusin', remember);
    observer.observe(root, { childList: true, subtree: true });
    return () => {
      root.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}

/** An element and what is around it, the innermost first. */
function ancestors(element: Element, root: Element): readonly Element[] {
  const { parentElement } = element;
  return element === root || parentElement === null
    ? [element]
    : [element, ...ancestors(parentElement, root)];
}

function homeIn(around: readonly Element[]): HTMLElement | null {
  for (const place of around.filter(({ isConnected }) => isConnected)) {
    if (place instanceof HTMLElement && place.hasAttribute('tabindex')) return place;
    const heading = place.querySelector<HTMLElement>(':is(h1, h2)[tabindex]');
    if (heading !== null) return heading;
  }
  return null;
}
