/** The sign-in page; the web interface redirects here, with `?returnTo=`, when a session has ended. */
export declare const LOGIN_PATH = "/login";
/** The sign-out button posts to it. */
export declare const LOGOUT_PATH = "/logout";
