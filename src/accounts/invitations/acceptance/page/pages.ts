import { html, type Html } from '../../../../kernel/common';
import { plainName } from '../../../mail';
import { inviterLine, readableTime, ROLE_WORDS } from '../../email/invitation-email';
import type { JoinedWithKey } from '../accept.service';
import type { InvitationState, InvitationView } from '../invitation-views';
import { codeField, keyBox, page } from '../../../../kernel/http';

/** What the page of a valid invitation shows in addition to the invitation. */
export interface PageState {
  readonly token: string;
  /** The action of the forms. */
  readonly action: string;
  /** A code proves the address; where no mail is configured, the link is enough. */
  readonly byCode: boolean;
  /** A code was sent and can be entered. */
  readonly codeSent: boolean;
  /** The address of the signed-in user; null when nobody is signed in. */
  readonly signedInAs: string | null;
  /** The name that was entered before. */
  readonly name: string;
  /** Why the last attempt failed. */
  readonly problem: string | null;
}

const ENDED: Record<
  Exclude<InvitationState, 'valid'> | 'unknown' | 'without link',
  { title: string; text: string }
> = {
  'without link': {
    title: 'Open your link again',
    text: 'This page needs the link of your invitation, as you were sent it.',
  },
  unknown: {
    title: 'This link does not work',
    text: 'No invitation belongs to it. It may have been replaced by a newer one: look for the latest mail, or ask for a new invitation.',
  },
  expired: {
    title: 'This invitation has expired',
    text: 'Invitations can be accepted for seven days. Ask for a new one.',
  },
  revoked: {
    title: 'This invitation was revoked',
    text: 'Ask for a new one if you think that is a mistake.',
  },
  withdrawn: {
    title: 'This invitation is no longer valid',
    text: 'The person who sent it may no longer invite with this role. Ask for a new one.',
  },
  used: {
    title: 'This invitation was used',
    text: 'It was accepted before, and an invitation works once. If that was you, you are set: sign in.',
  },
  member: {
    title: 'You are a member already',
    text: 'The invited address belongs to a member of the organization. There is nothing left to accept.',
  },
};

const ROLE_NAMES: Record<InvitationView['role'], string> = {
  member: 'Member',
  admin: 'Admin',
  owner: 'Owner',
};

/** The page of an invitation that cannot be accepted. */
export function endedPage(state: keyof typeof ENDED): string {
  const { title, text } = ENDED[state];
  return page(title, [
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  ]);
}

/** The page of a request that was refused. */
export function problemPage(problem: string): string {
  return page('Something went wrong', [
    html`<h1>Something went wrong</h1>
      <p>${problem}</p>`,
  ]);
}

/** The page of an invitation that can be accepted. */
export function invitationPage(invitation: InvitationView, state: PageState): string {
  const org = plainName(invitation.orgName);
  const alert = state.problem === null ? null : html`<p class="alert" role="alert">${state.problem}</p>`;
  return page(`Join ${org}`, [
    html`<h1>Join ${org}</h1>
      ${alert}
      <p><strong>${inviterIn(invitation, state)}</strong> invites you.</p>
      <dl>
        <dt>Organization</dt>
        <dd>${org}</dd>
        <dt>Your role</dt>
        <dd>${ROLE_NAMES[invitation.role]}</dd>
        <dt>Until</dt>
        <dd>${readableTime(invitation.expiresAt)}</dd>
      </dl>`,
    ...(state.codeSent
      ? [codeSection(state)]
      : [...signedInSections(invitation, state), ...addresseeSections(invitation, state), keySection(state)]),
  ]);
}

/** Addresses are shown to signed-in users only; the invited person knows them from the mail. */
function inviterIn(invitation: InvitationView, { signedInAs }: PageState): string {
  if (signedInAs !== null) return inviterLine(invitation);
  const name = plainName(invitation.inviterName ?? '');
  return name === '' ? 'An administrator' : name;
}

/** Where somebody goes on who is signed in. */
export interface Ways {
  readonly start: string;
  /** The page of the organization in the console; null without one. */
  readonly console: string | null;
}

/**
 * The page after an invitation was accepted; a key on it is shown this once.
 * @param ways null for who is not signed in
 */
export function joinedPage({ orgName, role, key }: JoinedWithKey, ways: Ways | null): string {
  const org = plainName(orgName);
  return page(`Welcome to ${org}`, [
    html`<h1>Welcome to ${org}</h1>
      <p>You joined as ${ROLE_WORDS[role]}${ways === null ? null : ', and are signed in in this browser'}.</p>
      ${ways === null ? null : waysOn(ways)}`,
    ...(key === null ? [] : [shownKeySection(key)]),
  ]);
}

function waysOn({ start, console }: Ways): Html {
  return html`<a class="button" href="${start}">Start working</a>
    ${console === null ? null : html`<a class="button plain" href="${console}">Open the console</a>`}`;
}

function shownKeySection(key: string): Html {
  return html`<section aria-labelledby="key-title">
    <h2 id="key-title">Your key</h2>
    <p>
      It signs you in elsewhere, and is for programs. It is shown this once: keep it where you keep passwords,
      and pass it on to nobody.
    </p>
    ${keyBox(key)}
  </section>`;
}

function signedInSections({ email }: InvitationView, state: PageState): Html[] {
  const { signedInAs } = state;
  if (signedInAs === null) return [];
  if (signedInAs !== email)
    return [
      html`<p class="soft">You are signed in as ${signedInAs}; the invitation is for another address.</p>`,
    ];
  return [
    html`<section aria-labelledby="session-title">
      <h2 id="session-title">You are signed in</h2>
      <p class="soft">As ${signedInAs}.</p>
      ${form(state, 'session', [], 'Accept the invitation')}
    </section>`,
  ];
}

/** A user who is signed in with the address is not new. */
function addresseeSections(invitation: InvitationView, state: PageState): Html[] {
  const isSignedIn = state.signedInAs === invitation.email;
  if (state.byCode) return [mailedCodeSection(state, isSignedIn ? 'plain' : 'main')];
  return isSignedIn ? [] : [newUserSection(state)];
}

function mailedCodeSection(state: PageState, style: string): Html {
  return html`<section aria-labelledby="new-title">
    <h2 id="new-title">With a code</h2>
    <p class="soft">
      We send a code to the invited address, to see that it is yours. If it has an account here, you join with
      that; else you get one.
    </p>
    ${form(state, 'code', [nameField(state)], 'Send me a code', style)}
  </section>`;
}

function newUserSection(state: PageState): Html {
  return html`<section aria-labelledby="new-title">
    <h2 id="new-title">I am new here</h2>
    <p class="soft">You get an account for this address, and a key for this organization.</p>
    ${form(state, 'create', [nameField(state)], 'Accept the invitation')}
  </section>`;
}

function keySection(state: PageState): Html {
  return html`<section aria-labelledby="key-title">
    <h2 id="key-title">I have an account</h2>
    <p class="soft">Accept with a key of the account that has this address.</p>
    ${form(
      state,
      'key',
      [
        html`<label for="key">Your key</label>
          <input
            id="key"
            name="key"
            type="password"
            required
            autocomplete="off"
            spellcheck="false"
            placeholder="ocs_…"
          />`,
      ],
      'Accept with my key',
      'plain',
    )}
  </section>`;
}

function codeSection(state: PageState): Html {
  return html`<section aria-labelledby="code-title">
      <h2 id="code-title">Enter your code</h2>
      <p class="soft">We sent six digits to the invited address. They work for 10 minutes.</p>
      ${form(state, 'confirm', [codeField(), hidden('name', state.name)], 'Accept the invitation')}
    </section>
    <section>${form(state, 'code', [hidden('name', state.name)], 'Send another code', 'plain')}</section>`;
}

function nameField({ name, byCode }: PageState): Html {
  return html`<label for="name">Your name${byCode ? ', if you are new here' : null}</label>
    <input
      id="name"
      name="name"
      ${byCode ? null : 'required'}
      autocomplete="name"
      maxlength="100"
      value="${name}"
    />`;
}

function form(
  { action, token }: PageState,
  step: string,
  fields: readonly Html[],
  label: string,
  style = 'main',
): Html {
  return html`<form method="post" action="${action}">
    ${hidden('token', token)}${hidden('step', step)}${fields}<button class="${style}" type="submit">
      ${label}
    </button>
  </form>`;
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}
