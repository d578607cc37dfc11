/** What a person can press on a page. */
export interface Control {
  /** What it is known by, also after the page was opened again. */
  readonly key: string;
  /** What else is known by that on the page comes before it. */
  readonly nth: number;
  /** Whether it only leads somewhere, which it does from every page alike. */
  readonly isLink: boolean;
}

/** Where a control is pressed. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  /** Whether something else is pressed there, such as a dialog over it. */
  readonly isCovered: boolean;
}

/**
 * Runs in the page, before all else: `window.controls` lists what can be pressed, `window.spot` says where one of them is,
 * and `window.changes` counts what changed on the page.
 */
export const PAGE_CONTROLS = `
(() => {
  // What the browser itself answers, such as a list to choose from, shows in no document.
  const PRESSABLE = 'a[href], button, summary, label:has(input[type=checkbox]), [role=button], [role=tab], [role=menuitem], [role=option], [role=switch], [role=combobox]';
  // Such as a panel that is closed: what is in it has its size all the same.
  const isShut = (element) =>
    element !== null &&
    ((element.clientWidth * element.clientHeight === 0 && getComputedStyle(element).overflowX === 'hidden') || isShut(element.parentElement));
  const canBePressed = (element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 1 &&
    element.closest(':disabled, [aria-disabled=true], [inert], [aria-hidden=true]') === null &&
    getComputedStyle(element).pointerEvents !== 'none' &&
    element.querySelector(':scope > input:disabled') === null &&
    !isShut(element.parentElement);
  // Pressing what is chosen already need do nothing, and neither does a link to where one is, or a field that is typed into.
  const isChosen = (element) =>
    (element === document.activeElement && element.tagName === 'INPUT') ||
    element.matches('[aria-selected=true], [aria-current=page], [aria-pressed=true], [data-active=true]') ||
    element.href?.replace(/[?#].*/, '') === location.href.replace(/[?#].*/, '');
  const isElsewhere = (element) => element.href !== undefined && new URL(element.href).origin !== location.origin;
  const keyOf = (element) => {
    // What can be chosen in a list is known by the list: the first ones stand for all.
    if (element.matches('[role=option]')) return 'option of ' + (element.closest('[role=listbox]')?.ariaLabel ?? '');
    const text = element.getAttribute('aria-label') ?? element.title ?? '';
    const name = (text || element.innerText || '').trim().replace(/\\s+/g, ' ').slice(0, 60);
    return [element.dataset.testid ?? element.id.replace(/[\\d_:«»r]+.*/, ''), name].filter((part) => part !== '').join(': ') || element.tagName.toLowerCase();
  };
  const all = () => [...document.querySelectorAll(PRESSABLE)].filter((one) => canBePressed(one) && !isChosen(one) && !isElsewhere(one));
  window.controls = () => {
    const counts = {};
    return all().map((element) => {
      const key = keyOf(element);
      counts[key] = (counts[key] ?? -1) + 1;
      return { key, nth: counts[key], isLink: element.href !== undefined };
    });
  };
  // The middle of a control, and what is left of it where something lies over that.
  const SPOTS = [0.5, 0.05, 0.95].flatMap((left) => [0.5, 0.05, 0.95].map((top) => [left, top]));
  window.spot = ({ key, nth }) => {
    const element = all().filter((one) => keyOf(one) === key)[nth];
    if (element === undefined) return null;
    element.scrollIntoViewIfNeeded();
    const box = [...element.getClientRects()].find(({ width, height }) => width * height > 0) ?? element.getBoundingClientRect();
    const spots = SPOTS.map(([left, top]) => ({ x: box.x + box.width * left, y: box.y + box.height * top }));
    const free = spots.find(({ x, y }) => element.contains(document.elementFromPoint(x, y)));
    return { ...(free ?? spots[0]), isCovered: free === undefined };
  };
  // That it is touched is marked on a control that does nothing, too.
  const TOUCH = /^data-(hover|pressed|focus)/;
  window.changes = 0;
  window.changedAt = 0;
  const note = () => {
    window.changes += 1;
    window.changedAt = performance.now();
  };
  // A form that is not sent as something is missing: the browser says so itself.
  document.addEventListener('invalid', note, true);
  new MutationObserver((records) => {
    if (records.some(({ attributeName }) => !TOUCH.test(attributeName ?? ''))) note();
  }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
})();
`;
