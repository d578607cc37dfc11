import { cutText, html, type Html } from '../../../kernel/common';
import { page } from '../../../kernel/http';
import type { ApproverOrg } from '../record/approver-orgs.read-model';
import { shownUserCode } from '../record/device-codes';
import type { DeviceLogin } from '../record/device-login.entity';
import { VERIFY_PATH } from '../requests/device-logins.service';
import { permissionWords } from './permission-words';

/** Takes the decision of a person. */
export const DECISION_PATH = '/oauth/device/verify-authenticated';

/** The choice of a key for all organizations, among those of one. */
export const ALL_ORGANIZATIONS = 'all';

/** How long keys of devices may be wanted; the empty one is for ever. */
export const DAYS = ['30', '90', '365', ''] as const;
const DAYS_NAMES = { '30': '30 days', '90': '90 days', '365': 'a year', '': 'ever, until it is revoked' };
const DEFAULT_DAYS = '90';

/** As much of it as tells one kind of program from another. */
const SHOWN_AGENT = 120;

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
const TITLE = 'Sign a device in';

/** What both pages show. */
interface DevicePageState {
  /** The base path in front of the paths of the service. */
  readonly base: string;
  /** Why the last form was refused. */
  readonly problem: string | null;
}

/** What the page for a code shows. */
interface CodeState extends DevicePageState {
  /** Of who is signed in; null where that is not known. */
  readonly email: string | null;
  /** What a link brought; null for nothing. */
  readonly code: string | null;
}

function alert(problem: string | null): Html | null {
  return problem === null ? null : html`<p class="alert" role="alert">${problem}</p>`;
}

/** The page on which a code is entered, or looked at where a link brought it. */
export function codePage({ base, email, problem, code }: CodeState): string {
  const prompt =
    code === null
      ? html`Enter the code that your device shows.`
      : html`Go on if this is the code that your device shows.`;
  return page(TITLE, [
    html`<h1>Sign a device in</h1>
      ${alert(problem)}
      <p>${prompt} ${email === null ? null : `You are signed in as ${email}.`}</p>
      <form method="post" action="${base}${VERIFY_PATH}">
        <label for="user_code">Code</label>
        <input
          id="user_code"
          class="code"
          name="user_code"
          value="${code === null ? '' : shownUserCode(code)}"
          required
          autofocus
          maxlength="20"
          placeholder="XXXX-XXXX"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
        />
        <button type="submit">Go on</button>
      </form>
      ${WARNING}`,
  ]);
}

const WARNING = html`<p class="soft">
  Did somebody send you this code, or the link to this page? Then close it: they would get a key of yours.
</p>`;

/** What the page for a decision shows. */
export interface DecisionState extends DevicePageState {
  readonly email: string;
  readonly code: string;
  readonly login: DeviceLogin;
  /** What the key would be able to do; null for all that its person may. */
  readonly scopes: readonly string[] | null;
  readonly organizations: readonly ApproverOrg[];
  /** Whether the key may be for all organizations. */
  readonly mayReachAll: boolean;
  /** When any key of theirs ends at the latest; null for never. */
  readonly endsBefore: Date | null;
}

/** The page that says who asks, from where and for what. */
export function decisionPage(state: DecisionState): string {
  const { base, email, code, login, scopes, endsBefore } = state;
  return page(TITLE, [
    html`<h1>Give this device a key of yours?</h1>
      ${alert(state.problem)}
      <p class="alert">
        Go on only if you began this yourself, just now, and your device shows
        <strong>${shownUserCode(code)}</strong>. If somebody sent you the code or the link, deny: they would
        get the key.
      </p>
      <dl>
        <dt>Program</dt>
        <dd>${clientName(login.clientName)}</dd>
        <dt>Address</dt>
        <dd>${login.address}</dd>
        <dt>Software</dt>
        <dd><bdi>${cutText(login.userAgent ?? 'unknown', SHOWN_AGENT)}</bdi></dd>
        <dt>Key of</dt>
        <dd>${email}</dd>
        <dt>It may</dt>
        <dd>${scopesList(scopes)}</dd>
      </dl>
      <form method="post" action="${base}${DECISION_PATH}">
        <input type="hidden" name="user_code" value="${shownUserCode(code)}" />
        ${organizationField(state)}
        <label for="days">The key works for</label>
        <select id="days" name="days">
          ${DAYS.map((days) => option(days, DAYS_NAMES[days], days === DEFAULT_DAYS))}
        </select>
        <p class="soft">
          ${endsBefore === null ? '' : `It ends on ${DATE.format(endsBefore)} at the latest, as your own does. `}The
          rules of the organization may end it earlier. In your settings you can revoke it at any time.
        </p>
        <button type="submit" name="decision" value="approve">Approve</button>
        <button type="submit" name="decision" value="deny" class="plain">Deny</button>
      </form>`,
  ]);
}

function clientName(name: string | null): Html {
  return name === null
    ? html`one that does not say what it is called`
    : html`“<bdi>${name}</bdi>”, as it calls itself; any other could, too`;
}

function scopesList(scopes: readonly string[] | null): Html {
  if (scopes === null) return html`all that you may`;
  return html`<ul>
    ${scopes.map((scope) => html`<li>${permissionWords(scope)}</li>`)}
  </ul>`;
}

function organizationField({ organizations, mayReachAll }: DecisionState): Html {
  return html`<label for="organization">The key works in</label>
    <select id="organization" name="organization">
      ${organizations.map(({ id, name }, index) => option(id, name, index === 0))}
      ${mayReachAll ? option(ALL_ORGANIZATIONS, 'all organizations of yours', organizations.length === 0) : null}
    </select>`;
}

function option(value: string, name: string, isSelected: boolean): Html {
  return isSelected
    ? html`<option value="${value}" selected>${name}</option>`
    : html`<option value="${value}">${name}</option>`;
}

/** The page after a login was approved. @param endsAt of the key; null for never */
export function approvedPage(base: string, endsAt: Date | null): string {
  const until = endsAt === null ? 'until it is revoked' : `until ${DATE.format(endsAt)}`;
  return page(TITLE, [
    html`<h1>Approved</h1>
      <p>Go back to your device: it gets its key within seconds. The key works ${until}.</p>
      <p><a href="${base}/settings">Your keys and sessions</a></p>`,
  ]);
}

/** The page after a login was refused. */
export function deniedPage(base: string): string {
  return page(TITLE, [
    html`<h1>Denied</h1>
      <p>The device gets no key. <a href="${base}/">Go on</a></p>`,
  ]);
}
