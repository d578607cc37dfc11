import { CONVERSATION_SCRIPT } from '../conversation-script/conversation-script';

/**
 * Runs in the page, before the interface does: finds a plan wherever it is below the conversation's folder.
 * The interface asks for it at one place only, and on each visit of its page for plans, also where nobody has planned
 * anything: a file that is known not to be there is not asked for.
 */
export const PLAN_FILE = `
((ask) => {
  const isPlan = (path) => ('/' + path).endsWith('/.agents_tmp/PLAN.md');
  window.fetch = async (...request) => {
    const { pathname, searchParams } = new URL(request[0].url ?? request[0], location.href);
    const [, conversation] = /^(\\/api\\/v1\\/app-conversations\\/[0-9a-f-]+)\\/file$/.exec(pathname) ?? [];
    if (conversation === undefined || !isPlan(searchParams.get('file_path'))) return ask(...request);
    const folder = '/workspace/project';
    const files = await ask(location.origin + conversation + '/files?path=' + folder, request[1]);
    if (!files.ok) return files;
    const plan = (await files.json()).find(isPlan);
    if (plan === undefined) return new Response('', { status: 404 });
    return ask(location.origin + conversation + '/file?file_path=' + encodeURIComponent(folder + '/' + plan), request[1]);
  };
})(window.fetch);
`;

/**
 * Runs in the page, before the interface does: where the service wants a sign-in of the last hour, it leads to the sign-in page,
 * which comes back here (docs/web-interface.md#signing-in-again).
 */
const SIGNING_IN_AGAIN = `
((ask) => {
  window.fetch = async (...request) => {
    const answer = await ask(...request);
    if (answer.status === 403 && new URL(answer.url || location.href, location.href).origin === location.origin) {
      const { code } = await answer.clone().json().catch(() => ({}));
      const { pathname, search, hash } = location;
      if (code === 'sign_in_again')
        location.assign('/login?again=yes&returnTo=' + encodeURIComponent(pathname + search + hash));
    }
    return answer;
  };
})(window.fetch);
`;

/**
 * Runs in the page, before the interface does: lets its buttons copy over plain http, too, where browsers give pages of other
 * machines no clipboard. The event of the old command takes a text without anything being selected.
 */
const CLIPBOARD = `
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

/**
 * A script that runs before the interface does (docs/web-interface.md#what-the-page-receives). It is the same for
 * everybody, so that the policy can contain its digest; what differs is in attributes of its element.
 *
 * It skips the onboarding, which offers agents that the service does not have. It resets the organization when another
 * user has signed in in the same tab. After a session has ended, the interface goes to the sign-in page by itself,
 * except on local host names: there the script watches for the 401 of its polling request.
 */
export const PAGE_SETUP = `
window.__AGENT_CANVAS_LOCK_TO_CLOUD__ = location.origin;
window.__AGENT_CANVAS_DO_NOT_TRACK__ = true;
localStorage.setItem('openhands-onboarded', 'true');
(({ user, org }) => {
  const chosen = 'openhands-active-backend';
  const isOther = sessionStorage.getItem('signed-in-user') !== user;
  if (org !== '' && (isOther || sessionStorage.getItem(chosen) === null))
    sessionStorage.setItem(chosen, JSON.stringify({ backendId: 'locked-cloud', orgId: org }));
  sessionStorage.setItem('signed-in-user', user);
  new PerformanceObserver((list) => {
    const isRefused = (entry) =>
      entry.responseStatus === 401 && entry.name.split('?')[0] === location.origin + '/api/organizations';
    if (list.getEntries().some(isRefused))
      location.assign('/login?returnTo=' + encodeURIComponent(location.pathname + location.search + location.hash));
  }).observe({ type: 'resource', buffered: true });
})(document.currentScript.dataset);
${CLIPBOARD}${SIGNING_IN_AGAIN}${CONVERSATION_SCRIPT}${PLAN_FILE}`;
