import { CALLS } from './calls';
import { NOTICES } from './notices';
import { RECORDS } from './records';
import { SENDING } from './sending';
import { STANDING_SOCKET } from './standing-socket';

/**
 * Runs in the page, before the interface does, and stands between it and its conversations
 * (docs/web-interface.md#conversations-in-the-page).
 */
export const CONVERSATION_SCRIPT = `
((ask, Socket) => {${NOTICES}${RECORDS}${CALLS}${SENDING}${STANDING_SOCKET}})(window.fetch, window.WebSocket);
`;
