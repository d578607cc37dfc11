import { html, type Html } from '../../common';
import { page } from '../../http';
import { LOGIN_PATH, LOGOUT_PATH } from './sign-in-paths';

/** What the sign-in page shows. */
export interface SignInState {
  /** Where to go after signing in. */
  readonly returnTo: string;
  /** The e-mail address of the signed-in user. */
  readonly email: string | null;
  /** Why the last attempt failed, or why one is needed. */
  readonly problem: string | null;
}

/** The page for signing in and out. */
export function signInPage({ returnTo, email, problem }: SignInState): string {
  const alert = problem === null ? null : html`<p class="alert" role="alert">${problem}</p>`;
  return page('Sign in', '→', [
    html`<h1>Sign in</h1>
      ${alert}`,
    ...(email === null ? [] : [signedInSection(email, returnTo)]),
    html`<section aria-labelledby="key-title">
      <h2 id="key-title">With a key</h2>
      <p class="soft">
        The key is not kept in this browser. The first one was shown when the service started for the first
        time; whoever runs the service can make others.
      </p>
      <form method="post" action="${LOGIN_PATH}">
        <input type="hidden" name="returnTo" value="${returnTo}" />
        <label for="key">Your key</label>
        <input
          id="key"
          name="key"
          type="password"
          autocomplete="current-password"
          placeholder="ocs_…"
          required
          autofocus
        />
        <button type="submit">Sign in</button>
      </form>
    </section>`,
  ]);
}

function signedInSection(email: string, returnTo: string): Html {
  return html`<section aria-labelledby="signed-in-title">
    <h2 id="signed-in-title">You are signed in</h2>
    <p>As ${email}. <a href="${returnTo}">Go on</a></p>
    <form method="post" action="${LOGOUT_PATH}">
      <button type="submit" class="plain">Sign out</button>
    </form>
  </section>`;
}

/** The page shown for a form that another site sent. */
export function foreignFormPage(): string {
  return page('Sign in', '!', [
    html`<h1>Not from here</h1>
      <p>
        This form has to be sent from the sign-in page of this service.
        <a href="${LOGIN_PATH}">Sign in there</a>
      </p>`,
  ]);
}
