/**
 * The interface loses what is sent before it has its connection to the conversation, for which it reads the history first.
 * Until then, the press that sends is held back.
 */
export const SENDING = String.raw`
const BOX = '[data-testid="interactive-chat-box"]';
const BUTTON = '[data-testid="submit-button"]';
/** The connections to conversations that the interface has. */
const connections = new Set();
const isConnected = (id) => [...connections].some((connection) => connection.id === id);
const holdBack = async (event) => {
  const box = event.target.closest?.(BOX);
  const id = idOfPage();
  const sends = event.type === 'click' ? event.target.closest?.(BUTTON) : event.key === 'Enter' && !event.shiftKey;
  if (!box || !sends || id === undefined || isConnected(id)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  while (idOfPage() === id && !isConnected(id)) await sleep(100);
  if (idOfPage() === id) box.querySelector(BUTTON)?.click();
};
for (const type of ['click', 'keydown']) document.addEventListener(type, holdBack, true);
`;
