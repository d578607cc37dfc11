import { html, type Html } from '../../../kernel/common';
import { page } from '../../../kernel/http';
import { LOGIN_PATH, PROVIDER_PATH } from '../session/sign-in-paths';
import type { ProviderChoices } from './provider-choices';

/** Of what the sign-in page shows, the part that providers need. */
interface SectionState {
  /** The base path in front of the paths of the service. */
  readonly base: string;
  readonly returnTo: string;
  /** Whether the person has to prove who they are anew. */
  readonly again: boolean;
}

/** The parts of the sign-in page with providers of identities; none where there is no provider. */
export function providerSections(
  state: SectionState,
  { providers, byAddress }: ProviderChoices,
): readonly Html[] {
  return [
    ...(providers.length === 0 ? [] : [buttonsSection(state, providers)]),
    ...(byAddress ? [addressSection(state)] : []),
  ];
}

function buttonsSection(
  { base, returnTo, again }: SectionState,
  providers: ProviderChoices['providers'],
): Html {
  const query = new URLSearchParams({ returnTo, ...(again && { again: 'yes' }) }).toString();
  return html`<section aria-labelledby="providers-title">
    <h2 id="providers-title">With your account elsewhere</h2>
    ${providers.map(
      ({ name, host, path }) =>
        html`<a class="button" href="${base}${path}?${query}">Go on with ${name}</a>
          <p class="soft">At ${host}</p>`,
    )}
  </section>`;
}

function addressSection({ base, returnTo, again }: SectionState): Html {
  return html`<section aria-labelledby="organization-title">
    <h2 id="organization-title">With your organization</h2>
    <p class="soft">If it has a sign-in of its own, your mail address leads there.</p>
    <form method="post" action="${base}${PROVIDER_PATH}">
      <input type="hidden" name="returnTo" value="${returnTo}" />
      <input type="hidden" name="again" value="${again ? 'yes' : ''}" />
      <label for="work-email">Your mail address there</label>
      <input id="work-email" name="email" type="email" autocomplete="email" required />
      <button type="submit" class="plain">Look for it</button>
    </form>
  </section>`;
}

/** The page of a sign-in at a provider that did not come to its end. */
export function failedSignInPage(base: string, returnTo: string, problem: string): string {
  const query = new URLSearchParams({ returnTo }).toString();
  return page('Sign in', [
    html`<h1>You are not signed in</h1>
      <p class="alert" role="alert">${problem}</p>
      <p><a href="${base}${LOGIN_PATH}?${query}">Sign in again, or another way</a></p>`,
  ]);
}
