/**
 * Runs in the page, before the interface does: lets its buttons copy over plain http, too, where browsers give pages of other
 * machines no clipboard. The event of the old command takes a text without anything being selected.
 */
export const CLIPBOARD = `
navigator.clipboard ?? Object.defineProperty(navigator, 'clipboard', {
  value: {
    writeText: async (text) => {
      const fill = (event) => {
        event.clipboardData.setData('text/plain', text);
        event.preventDefault();
        event.stopImmediatePropagation();
      };
      document.addEventListener('copy', fill, { capture: true, once: true });
      const isDone = document.execCommand('copy');
      document.removeEventListener('copy', fill, { capture: true });
      if (!isDone) throw new DOMException('The browser copies nothing here.', 'NotAllowedError');
    },
  },
});
`;
