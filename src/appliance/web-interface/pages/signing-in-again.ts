/**
 * Runs in the page, before the interface does: where the service wants a sign-in of the last hour, it leads to the sign-in page,
 * which comes back here (docs/web-interface.md#signing-in-again).
 */
export const SIGNING_IN_AGAIN = `
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
