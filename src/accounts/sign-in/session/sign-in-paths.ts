/** The sign-in page; the web interface redirects here, with `?returnTo=`, when a session has ended. */
export const LOGIN_PATH = '/login';

/** Takes the address to mail a link and a code to. */
export const MAIL_PATH = '/login/mail';

/** Takes a mailed code. */
export const CODE_PATH = '/login/code';

/** The page behind mailed links and those of administrators. */
export const LINK_PATH = '/login/link';

/** Takes a mail address, and offers the providers of its domain. */
export const PROVIDER_PATH = '/login/provider';

/** The sign-out button posts to it. */
export const LOGOUT_PATH = '/logout';

/**
 * The address of the sign-in page.
 * @param base what comes before the service's own paths
 * @param returnTo where to go afterwards, as browsers have it
 * @param again that a session is there, and is too old for a change
 */
export function signInAddress(base: string, returnTo: string, again = false): string {
  const query = [
    ...(again ? ['again=yes'] : []),
    ...(returnTo === `${base}/` ? [] : [`returnTo=${encodeURIComponent(returnTo)}`]),
  ];
  return [`${base}${LOGIN_PATH}`, ...(query.length === 0 ? [] : [query.join('&')])].join('?');
}
