import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { SignInAgainError } from '../../../../kernel/auth';
import { publicPath, SETTINGS, type Settings } from '../../../../kernel/config';
import { CONSOLE, type PageResponse, refusalOf } from '../../../../kernel/http';
import { Mailer } from '../../../mail';
import { signInAddress, Visitors } from '../../../sign-in';
import { ACCEPT_PATH, digestOfToken } from '../../record/invitation-tokens';
import { AcceptanceCodes, AccountExistsError } from '../acceptance-codes';
import { type InvitationView, InvitationViews } from '../invitation-views';
import type { JoinedWithKey } from '../accept.service';
import { PageAcceptance, type PageForm } from './page-acceptance';
import { endedPage, invitationPage, joinedPage, type PageState, type Ways } from './pages';

/** Path the forms of the page are sent to. */
export const FORM_PATH = 'invitations/accept';

/** The page that the links of invitations open: it shows, and accepts only what its forms send. */
@Injectable()
export class AcceptancePageService {
  constructor(
    private readonly invitations: InvitationViews,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly acceptance: PageAcceptance,
    private readonly codes: AcceptanceCodes,
    private readonly mailer: Mailer,
    private readonly visitors: Visitors,
    @Inject(CONSOLE) private readonly console: string | null,
  ) {}

  /** The page of a link; opening it changes nothing. */
  async show(request: IncomingMessage, token: string): Promise<PageResponse> {
    const invitation = await this.find(token);
    if (invitation === null)
      return { status: 404, html: endedPage(token === '' ? 'without link' : 'unknown') };
    if (invitation.state === 'valid')
      return { status: 200, html: invitationPage(invitation, await this.state(request, token)) };
    return { status: invitation.state === 'member' ? 200 : 410, html: endedPage(invitation.state) };
  }

  /** Does what a form asks for; the page says what prevents it. */
  async submit(request: IncomingMessage, form: PageForm): Promise<PageResponse> {
    const invitation = await this.find(form.token);
    if (invitation?.state !== 'valid') return this.show(request, form.token);
    try {
      if (form.step === 'code' && this.mailer.configured) {
        await this.codes.send(invitation);
        const state = await this.state(request, form.token, { codeSent: true, name: form.name });
        return { status: 200, html: invitationPage(invitation, state) };
      }
      const { joined, isSignedIn, cookie } = await this.acceptance.accept(request, invitation, form);
      return {
        status: 200,
        html: joinedPage(joined, isSignedIn ? this.waysIn(joined) : null),
        ...(cookie !== null && { headers: { 'Set-Cookie': cookie } }),
      };
    } catch (error) {
      return error instanceof SignInAgainError
        ? this.signingInAgain(form.token)
        : this.problem(request, error, form);
    }
  }

  private waysIn({ orgId }: JoinedWithKey): Ways {
    const { settings, console } = this;
    return { start: `${publicPath(settings)}/`, console: console === null ? null : `${console}/${orgId}` };
  }

  /** To the sign-in page, which comes back to that of the invitation. */
  private signingInAgain(token: string): PageResponse {
    const base = publicPath(this.settings);
    const back = `${base}/${ACCEPT_PATH}?token=${encodeURIComponent(token)}`;
    return { status: 303, html: '', headers: { Location: signInAddress(base, back, true) } };
  }

  /** The page again, with the error; or the current state of an invitation that is no longer valid. */
  private async problem(request: IncomingMessage, error: unknown, form: PageForm): Promise<PageResponse> {
    const { status, headers, message, isWrong } = refusalOf(error);
    const invitation = await this.find(form.token);
    if (invitation?.state !== 'valid') return this.show(request, form.token);
    const state = await this.state(request, form.token, {
      problem: isWrong ? wrongCredential(form) : message,
      codeSent: form.step === 'confirm' && !(error instanceof AccountExistsError),
      name: form.name,
    });
    return { status, headers, html: invitationPage(invitation, state) };
  }

  private async state(
    request: IncomingMessage,
    token: string,
    changes: Partial<PageState> = {},
  ): Promise<PageState> {
    return {
      token,
      action: `${publicPath(this.settings)}/${FORM_PATH}`,
      byCode: this.mailer.configured,
      codeSent: false,
      signedInAs: (await this.visitors.of(request))?.email ?? null,
      name: '',
      problem: null,
      ...changes,
    };
  }

  private async find(token: string): Promise<InvitationView | null> {
    const digest = digestOfToken(token);
    return digest === null ? null : this.invitations.find(digest);
  }
}

function wrongCredential({ step }: PageForm): string {
  return step === 'session'
    ? 'You are not signed in any more.'
    : 'This key does not work. Check that you copied all of it.';
}
