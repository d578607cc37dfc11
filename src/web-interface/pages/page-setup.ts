import { SLEEPING_CONVERSATIONS } from './sleeping-conversations';

/**
 * What runs in the page before the interface does (docs/web-interface.md#what-the-page-is-told). The same text for
 * everybody, so that the policy of the page can name its digest: what differs is in attributes of its element.
 *
 * The interface's first questions are skipped: they offer agents that the service does not have.
 * The organization is chosen anew when somebody else signed in in the same tab. Where a person's session ended, the
 * interface itself goes to the sign-in page, but not on names of this machine: there, the refusal of its recurring
 * question is watched for.
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
${SLEEPING_CONVERSATIONS}`;
