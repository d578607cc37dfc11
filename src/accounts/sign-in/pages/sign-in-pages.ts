import { html, type Html } from '../../../kernel/common';
import { page } from '../../../kernel/http';
import type { ProviderChoices } from './provider-choices';
import { providerSections } from './provider-sections';
import { LOGIN_PATH, LOGOUT_PATH, MAIL_PATH } from '../session/sign-in-paths';

/** What the sign-in page shows. */
interface SignInState {
  /** The base path in front of the paths of the service. */
  readonly base: string;
  /** The path to open after signing in. */
  readonly returnTo: string;
  /** Whether mails can be sent. */
  readonly byMail: boolean;
  /** The e-mail address of the signed-in user. */
  readonly email: string | null;
  /** The address of the console; null without one. */
  readonly console: string | null;
  /** Why the last attempt failed, or why one is needed. */
  readonly problem: string | null;
  /** Whether the person has to prove who they are anew. */
  readonly again: boolean;
  readonly choices: ProviderChoices;
}

/** The page for signing in and out. */
export function signInPage(state: SignInState): string {
  const { problem } = state;
  return page('Sign in', [
    html`<h1>Sign in</h1>
      ${problem === null ? null : html`<p class="alert" role="alert">${problem}</p>`}`,
    ...(state.email === null ? [] : [signedInSection(state, state.email)]),
    ...providerSections(state, state.choices),
    ...(state.byMail ? [mailSection(state)] : []),
    keySection(state),
  ]);
}

function mailSection({ base, returnTo }: SignInState): Html {
  return html`<section aria-labelledby="mail-title">
    <h2 id="mail-title">With a mail</h2>
    <p class="soft">We send a code and a link to the address of your account.</p>
    <form method="post" action="${base}${MAIL_PATH}">
      <input type="hidden" name="returnTo" value="${returnTo}" />
      <label for="email">Your e-mail address</label>
      <input id="email" name="email" type="email" autocomplete="email" required autofocus />
      <button type="submit">Send me a code</button>
    </form>
  </section>`;
}

function keySection({ base, returnTo, byMail }: SignInState): Html {
  return html`<section aria-labelledby="key-title">
    <h2 id="key-title">With a key</h2>
    <p class="soft">
      The key is not kept in this browser. The first one was shown when the service started for the first
      time; whoever runs the service can make others.
    </p>
    <form method="post" action="${base}${LOGIN_PATH}">
      <input type="hidden" name="returnTo" value="${returnTo}" />
      <label for="key">Your key</label>
      <input
        id="key"
        name="key"
        type="password"
        autocomplete="current-password"
        placeholder="ocs_…"
        required
        ${byMail ? null : 'autofocus'}
      />
      <button type="submit" class="${byMail ? 'plain' : 'main'}">Sign in</button>
    </form>
  </section>`;
}

function signedInSection({ base, returnTo, console }: SignInState, email: string): Html {
  const toConsole = console === null ? null : html`, see the <a href="${console}">console</a>`;
  return html`<section aria-labelledby="signed-in-title">
    <h2 id="signed-in-title">You are signed in</h2>
    <p>
      As ${email}. <a href="${returnTo}">Go on</a>${toConsole}, or see
      <a href="${base}/settings">your settings</a>.
    </p>
    ${signOutForm(base)}
  </section>`;
}

/** The button that ends the session of this browser. */
export function signOutForm(base: string): Html {
  return html`<form method="post" action="${base}${LOGOUT_PATH}">
    <button type="submit" class="plain">Sign out</button>
  </form>`;
}

/** The page shown for a form that another site sent. */
export function foreignFormPage(): string {
  return page('Not from here', [
    html`<h1>Not from here</h1>
      <p>This form has to be sent from a page of this service.</p>`,
  ]);
}
