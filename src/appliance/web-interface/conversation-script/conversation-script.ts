import { CALLS } from './calls';
import { RECORDS } from './records';
import { STANDING_SOCKET } from './standing-socket';

/**
 * The interface loses what is sent before it has its connection to the conversation, for which it reads the history first.
 * Until then, the press that sends is held back.
 */
const SENDING = String.raw`
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

/**
 * What the page says of a sandbox, in the interface's own places: it has words for a sandbox that starts only until
 * there is a conversation, and none for conversations of others.
 */
const NOTICES = String.raw`
const ofSandbox = new CSSStyleSheet();
const ofOthers = new CSSStyleSheet();
document.adoptedStyleSheets = [ofSandbox, ofOthers];
const idOfPage = () => /^\/conversations\/([0-9a-f-]{32,36})/.exec(location.pathname)?.[1];
/** A text as style sheets have it, on one line. */
const quoted = (text) => '"' + text.replace(/\s+/g, ' ').replace(/["\\]/g, '\\$&') + '"';
const inPlaceOf = (element, text, size) =>
  element + '{font-size:0}' + element + '::after{font-size:' + size + ';content:' + quoted(text) + '}';
/** @param text what its sandbox does; null for nothing in particular */
const says = (text) => {
  const places = ['chat-status-indicator"] span:last-child', 'interactive-chat-box"] span.truncate[title][class*="11px"]'];
  const rule = (place) => inPlaceOf('[data-testid="' + place, text, '11px');
  ofSandbox.replaceSync(text === null ? '' : places.map(rule).join(''));
};
/** Actions that only its creator may do. */
const OF_CREATOR = ['rename', 'stop', 'delete']
  .map((name) => '[data-testid="conversation-name-context-menu"] [data-testid="' + name + '-button"]')
  .join();
const saysWhose = (isOwn) => {
  const banner = '[data-testid="archived-conversation-banner"] ';
  const rules = [
    inPlaceOf(banner + 'p:first-child', 'A conversation of somebody else', '12px'),
    inPlaceOf(banner + 'p:last-child', 'You can read its history.', '12px'),
    OF_CREATOR + '{display:none}',
    // A double click would begin to rename it.
    '[data-testid="conversation-name-title"]{pointer-events:none}',
  ];
  ofOthers.replaceSync(isOwn ? '' : rules.join(''));
};
`;

/**
 * Runs in the page, before the interface does, and stands between it and its conversations
 * (docs/web-interface.md#conversations-in-the-page).
 */
export const CONVERSATION_SCRIPT = `
((ask, Socket) => {${NOTICES}${RECORDS}${CALLS}${SENDING}${STANDING_SOCKET}})(window.fetch, window.WebSocket);
`;
