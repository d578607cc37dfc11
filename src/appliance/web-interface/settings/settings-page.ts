import { html, type Html } from '../../../kernel/common';
import { CREDENTIAL_PROVIDERS, type CredentialProvider } from '../../../agents/git-credentials';
import { keyBox, page } from '../../../kernel/http';
import { signOutForm } from '../../../accounts/sign-in';
import type { SettingsView } from './settings-view';

const PAGES = [
  ['/settings/llm', 'Models', 'profiles, and connections to providers'],
  ['/settings/agents', 'Agents', 'profiles of agents'],
  ['/settings/condenser', 'Condenser', 'when long histories are summarized'],
  ['/settings/verification', 'Confirmation', 'which actions wait for you'],
  ['/settings/secrets', 'Secrets', 'what your agents get as environment variables'],
  ['/settings/app', 'Application', 'language, sounds, the author of commits'],
  ['/mcp', 'MCP', 'servers with tools'],
  ['/skills', 'Skills', 'what your agents are told'],
] as const;

/** As the console has them. */
const PROVIDER_NAMES: Readonly<Record<CredentialProvider, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket',
  forgejo: 'Forgejo or Gitea',
  azure_devops: 'Azure DevOps',
};

/** More are listed by the operations only. */
const MOST_SHOWN = 100;

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** The contents of the page. */
interface SettingsState extends SettingsView {
  /** The base path in front of the paths of the service. */
  readonly base: string;
  readonly servesInterface: boolean;
  /** The address of the console; null without one. */
  readonly console: string | null;
  /** A key that was just made. */
  readonly key: string | null;
  /** Why a form was refused. */
  readonly problem: string | null;
}

/**
 * The page of all settings: the interface links to it where its back end is a remote one, and has most of its pages of
 * settings in no menu then.
 */
export function settingsPage(state: SettingsState): string {
  const { problem, email, base } = state;
  return page('Settings', [
    html`<h1>Settings</h1>
      ${problem === null ? null : html`<p class="alert" role="alert">${problem}</p>`}
      ${state.key === null ? null : newKeySection(state.key)}
      ${state.console === null ? null : consoleLink(state.console)}
      ${state.servesInterface ? interfaceLinks() : null}`,
    html`${state.keys === null ? null : keysSection(state, state.keys)}
    ${state.sessions === null ? null : sessionsSection(state, state.sessions)}
    ${state.credentials === null ? null : gitSection(state, state.credentials)}`,
    html`<section aria-labelledby="you-title">
      <h2 id="you-title">You</h2>
      <p>You are signed in as ${email}. <a href="${base}/">Go on</a></p>
      ${signOutForm(base)}
    </section>`,
  ]);
}

function consoleLink(address: string): Html {
  return html`<p>
    <a href="${address}">Console</a>: the pages of your organization, with all of this and what belongs to it.
  </p>`;
}

function interfaceLinks(): Html {
  return html`<ul>
    ${PAGES.map(([path, name, what]) => html`<li><a href="${path}">${name}</a>: ${what}</li>`)}
  </ul>`;
}

function newKeySection(key: string): Html {
  return html`<section aria-labelledby="new-key-title">
    <h2 id="new-key-title">Your new key</h2>
    <p>It is shown this once. Keep it where you keep passwords, and pass it on to nobody.</p>
    ${keyBox(key)}
  </section>`;
}

function keysSection(state: SettingsState, keys: NonNullable<SettingsView['keys']>): Html {
  return html`<section aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <p class="soft">Programs send them, and people sign in with them. To revoke one ends its sessions.</p>
    ${list(keys, (key) => ({
      id: key.id,
      name: key.name ?? `Key ${key.id}`,
      what: [
        `made on ${dayOf(key.created_at)}`,
        ...(key.last_used_at === null ? ['never used'] : [`last used on ${dayOf(key.last_used_at)}`]),
        ...(key.expires_at === null ? [] : [`until ${dayOf(key.expires_at)}`]),
        ...(key.org_id === null ? ['in all organizations'] : []),
      ].join(', '),
      state,
      action: 'revoke-key',
      label: 'Revoke',
    }))}
    ${form(
      state,
      'make-key',
      html`<label for="key-name">What a new key is for</label>
        <input id="key-name" name="name" required maxlength="255" autocomplete="off" />
        <label for="key-days">It works for</label>
        <select id="key-days" name="days">
          <option value="30">30 days</option>
          <option value="365">a year</option>
          <option value="">ever</option>
        </select>
        ${state.isBound ? null : REACH}
        <button type="submit">Make a key</button>`,
    )}
  </section>`;
}

const REACH = html`<label for="key-reach">in</label>
  <select id="key-reach" name="reach">
    <option value="one">the current organization</option>
    <option value="all">all organizations of yours</option>
  </select>`;

function sessionsSection(state: SettingsState, sessions: NonNullable<SettingsView['sessions']>): Html {
  return html`<section aria-labelledby="sessions-title">
    <h2 id="sessions-title">Sessions</h2>
    ${list(sessions, (session) => ({
      id: session.id,
      name: session.is_current ? 'This browser' : (session.user_agent ?? 'A browser'),
      what: `since ${dayOf(session.created_at)}, last used on ${dayOf(session.last_used_at)}`,
      state,
      action: 'end-session',
      label: 'End',
    }))}
  </section>`;
}

function gitSection(state: SettingsState, credentials: NonNullable<SettingsView['credentials']>): Html {
  return html`<section aria-labelledby="git-title">
    <h2 id="git-title">Git credentials</h2>
    <p class="soft">
      Repositories can be chosen, and are cloned, at each git host that you or your organization keep a
      credential for.
    </p>
    ${list(credentials, (credential) => ({
      id: credential.id,
      name: credential.url_prefix,
      what: credential.username === '' ? 'without a user name' : `as ${credential.username}`,
      state,
      action: 'delete-credential',
      label: 'Delete',
    }))}
    ${form(
      state,
      'keep-credential',
      html`<label for="git-address">Address</label>
        <input
          id="git-address"
          name="url_prefix"
          type="url"
          required
          placeholder="https://github.com/acme"
          autocomplete="off"
        />
        <label for="git-user">User name</label>
        <input id="git-user" name="username" maxlength="255" value="x-access-token" autocomplete="off" />
        <label for="git-password">Token or password</label>
        <input id="git-password" name="password" type="password" required autocomplete="off" />
        <label for="git-provider">Git provider</label>
        <select id="git-provider" name="git_provider">
          <option value="">As its name says</option>
          ${CREDENTIAL_PROVIDERS.map((name) => html`<option value="${name}">${PROVIDER_NAMES[name]}</option>`)}
        </select>
        <button type="submit">Add a credential</button>`,
    )}
  </section>`;
}

/** One line of a list, and the button at its end. */
interface Item {
  readonly state: SettingsState;
  readonly id: string | number;
  readonly name: string;
  readonly what: string;
  readonly action: string;
  readonly label: string;
}

function list<T>(things: readonly T[], itemOf: (thing: T) => Item): Html | null {
  if (things.length === 0) return null;
  const more = things.length - MOST_SHOWN;
  return html`<ul class="items">
      ${things.slice(-MOST_SHOWN).map((thing) => line(itemOf(thing)))}
    </ul>
    ${more > 0 ? html`<p class="soft">And ${more} others, which the API lists.</p>` : null}`;
}

function line({ state, id, name, what, action, label }: Item): Html {
  return html`<li>
    <span>${name}<br /><span class="soft">${what}</span></span>
    ${form(
      state,
      action,
      html`<input type="hidden" name="id" value="${id}" />
        <button type="submit" class="plain" aria-label="${label} ${name}">${label}</button>`,
    )}
  </li>`;
}

function form({ base }: SettingsState, action: string, content: Html): Html {
  return html`<form method="post" action="${base}/settings">
    <input type="hidden" name="action" value="${action}" />
    ${content}
  </form>`;
}

function dayOf(time: string): string {
  return DATE.format(new Date(time));
}
