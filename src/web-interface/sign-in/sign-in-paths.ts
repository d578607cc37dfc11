/** The page to sign in; where the web interface sends people whose session ended, with `?returnTo=`. */
export const LOGIN_PATH = '/login';

/** Where the button to sign out sends its form. */
export const LOGOUT_PATH = '/logout';
