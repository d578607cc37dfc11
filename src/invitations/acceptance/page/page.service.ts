import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Authentication } from '../../../auth';
import { AppError } from '../../../common';
import { publicUrl, SETTINGS, type Settings } from '../../../config';
import { FailedCredentials } from '../../../http';
import { Mailer } from '../../../mail';
import { plainName } from '../../email/invitation-email';
import { digestOfToken } from '../../record/invitation-tokens';
import { AcceptService, type Joined } from '../accept.service';
import { AcceptanceCodes } from '../acceptance-codes';
import { type InvitationView, readInvitation } from '../invitation-view';
import { endedPage, invitationPage, joinedPage, type PageState } from './pages';

/** Path the forms of the page are sent to. */
export const FORM_PATH = 'invitations/accept';

/** A page and the status it is sent with. */
export interface PageResponse {
  readonly status: number;
  readonly html: string;
  /** Of an error: when to come back. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The fields of the page's forms. */
export type PageForm = Readonly<Record<'token' | 'step' | 'key' | 'code' | 'name', string>>;

/** The page that the links of invitations open: it shows, and accepts only what its forms send. */
@Injectable()
export class AcceptancePageService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly invitations: AcceptService,
    private readonly codes: AcceptanceCodes,
    private readonly mailer: Mailer,
    private readonly authentication: Authentication,
    private readonly failed: FailedCredentials,
  ) {}

  /** The page of a link; opening it changes nothing. */
  async show(token: string): Promise<PageResponse> {
    const invitation = await this.find(token);
    if (invitation === null) return { status: 404, html: endedPage('unknown') };
    if (invitation.state === 'valid')
      return { status: 200, html: invitationPage(invitation, this.state(token, {})) };
    return { status: invitation.state === 'member' ? 200 : 410, html: endedPage(invitation.state) };
  }

  /** Does what a form asks for; the page says what prevents it. */
  async submit(request: IncomingMessage, form: PageForm): Promise<PageResponse> {
    const invitation = await this.find(form.token);
    if (invitation?.state !== 'valid') return this.show(form.token);
    try {
      if (form.step === 'code' && this.mailer.configured) {
        await this.codes.send(invitation);
        return {
          status: 200,
          html: invitationPage(invitation, this.state(form.token, { codeSent: true, name: form.name })),
        };
      }
      return {
        status: 200,
        html: joinedPage(await this.accept(request, invitation, form), publicUrl(this.settings)),
      };
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return this.problem(error, form);
    }
  }

  private async accept(
    request: IncomingMessage,
    invitation: InvitationView,
    form: PageForm,
  ): Promise<Joined & { readonly key: string | null }> {
    if (form.step === 'key') {
      const key = form.key.trim();
      const caller = await this.failed.watch(request, `invitation ${key}`, () =>
        this.authentication.user({ 'x-access-token': key }),
      );
      return this.invitations.acceptWithKey(form.token, caller);
    }
    const name = plainName(form.name) === '' ? null : plainName(form.name);
    const verified = this.mailer.configured;
    if (verified) await this.codes.check(invitation, form.code);
    return this.invitations.acceptAsNewUser(form.token, { name, verified });
  }

  /** The page again, saying what was wrong; or the current state of an invitation that is no longer valid. */
  private async problem(error: AppError, form: PageForm): Promise<PageResponse> {
    const invitation = await this.find(form.token);
    if (invitation?.state !== 'valid') return this.show(form.token);
    const problem =
      error.status === 401 ? 'This key does not work. Check that you copied all of it.' : error.message;
    const codeSent = form.step === 'confirm' && error.code !== 'account_exists';
    return {
      ...(error.status === 401 ? { status: 403 } : { status: error.status, headers: error.headers }),
      html: invitationPage(invitation, this.state(form.token, { problem, codeSent, name: form.name })),
    };
  }

  private state(token: string, changes: Partial<PageState>): PageState {
    const base = publicUrl(this.settings);
    return {
      token,
      action: `${new URL(base).pathname.replace(/\/$/, '')}/${FORM_PATH}`,
      byCode: this.mailer.configured,
      codeSent: false,
      name: '',
      problem: null,
      ...changes,
    };
  }

  private async find(token: string): Promise<InvitationView | null> {
    const digest = digestOfToken(token);
    return digest === null ? null : readInvitation(this.database.manager, digest);
  }
}
