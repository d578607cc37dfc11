import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { type Caller, Public, SignInAgainError, UnauthenticatedError } from '../../../kernel/auth';
import { parseUuid } from '../../../kernel/common';
import { publicPath, SETTINGS, type Settings } from '../../../kernel/config';
import { redirectPage, refusalOf, sendPage } from '../../../kernel/http';
import { Field, string } from '../../../kernel/validation';
import { type FormField, OwnForms, signInAddress, Visitors } from '../../sign-in';
import { UserCodeUnknownError } from '../device-login.errors';
import { selectApproverOrgs } from '../record/approver-orgs.read-model';
import { shownUserCode, userCodeIn } from '../record/device-codes';
import { DeviceGrants } from '../requests/device-grants';
import { VERIFY_PATH } from '../requests/device-logins.service';
import { type ChosenKey, DeviceApprovals } from './device-approvals.service';
import {
  ALL_ORGANIZATIONS,
  approvedPage,
  codePage,
  DAYS,
  decisionPage,
  DECISION_PATH,
  deniedPage,
} from './device-pages';

class CodeQuery {
  @Field(string(), { description: 'The code, where a link brings it.', example: 'WDJB-MJHT' })
  user_code = '';
}

const UNDECIDED = 'Choose an organization and for how long the key works, and approve or deny.';

/** The pages on which people decide about logins of devices; forms of other sites reach neither. */
@ApiExcludeController()
@Public()
@Controller()
export class DevicePageController {
  private readonly base: string;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly visitors: Visitors,
    private readonly forms: OwnForms,
    private readonly approvals: DeviceApprovals,
    private readonly grants: DeviceGrants,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.base = publicPath(settings);
  }

  /** A link may bring a code: it is not looked up until somebody says that their device shows it. */
  @Get(VERIFY_PATH)
  async showCode(
    @Query() query: CodeQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.visitors.of(request);
    const code = userCodeIn(query.user_code);
    if (visitor === null) this.askToSignIn(request, response, code, false);
    else {
      const problem = query.user_code === '' || code !== null ? null : new UserCodeUnknownError().message;
      const html = codePage({ base: this.base, email: visitor.email, problem, code });
      sendPage(request, response, { status: 200, html, headers: { Vary: 'Cookie' } });
    }
  }

  @Post(VERIFY_PATH)
  async submitCode(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.handle(request, response, (caller, _, code) =>
      this.sendDecision(request, response, caller, code, { status: 200, problem: null }),
    );
  }

  @Post(DECISION_PATH)
  async submitDecision(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.handle(request, response, async (caller, field, code) => {
      const decision = field('decision');
      const chosen = chosenKey(field);
      if (decision === 'deny') {
        await this.approvals.deny(request, caller, code);
        sendPage(request, response, { status: 200, html: deniedPage(this.base) });
      } else if (decision !== 'approve' || chosen === null)
        await this.sendDecision(request, response, caller, code, { status: 422, problem: UNDECIDED });
      else {
        const endsAt = await this.approvals.approve(request, caller, code, chosen);
        sendPage(request, response, { status: 200, html: approvedPage(this.base, endsAt) });
      }
    });
  }

  /** Reads a form with a code, for somebody who is signed in; what goes wrong is said on the page with the code. */
  private async handle(
    request: Request,
    response: Response,
    done: (caller: Caller, field: FormField, code: string) => Promise<void>,
  ): Promise<void> {
    const field = await this.forms.read(request, response);
    if (field === null) return;
    const code = userCodeIn(field('user_code'));
    let email: string | null = null;
    try {
      const caller = { ...(await this.visitors.sender(request)), selectedOrgId: null };
      ({ email } = caller);
      if (code === null) throw new UserCodeUnknownError();
      await done(caller, field, code);
    } catch (error) {
      if (error instanceof UnauthenticatedError || error instanceof SignInAgainError)
        this.askToSignIn(request, response, code, error instanceof SignInAgainError);
      else {
        const { status, headers, message } = refusalOf(error);
        const html = codePage({ base: this.base, email, problem: message, code: null });
        sendPage(request, response, { status, headers, html });
      }
    }
  }

  private async sendDecision(
    request: Request,
    response: Response,
    caller: Caller,
    code: string,
    { status, problem }: { readonly status: number; readonly problem: string | null },
  ): Promise<void> {
    const login = await this.approvals.find(request, caller, code);
    const { userId, email, currentOrgId, boundOrgId, keyExpiresAt } = caller;
    const html = decisionPage({
      base: this.base,
      email: email ?? '',
      problem,
      code,
      login,
      scopes: this.grants.scopesOf(caller, login.scopes),
      organizations: await selectApproverOrgs(this.database, userId, currentOrgId, boundOrgId),
      mayReachAll: boundOrgId === null,
      endsBefore: keyExpiresAt,
    });
    sendPage(request, response, { status, html });
  }

  private askToSignIn(request: Request, response: Response, code: string | null, again: boolean): void {
    const query = code === null ? '' : `?user_code=${shownUserCode(code)}`;
    redirectPage(request, response, signInAddress(this.base, this.base + VERIFY_PATH + query, again));
  }
}

/** What a form chooses; null where it lacks a choice. */
function chosenKey(field: FormField): ChosenKey | null {
  const organization = field('organization');
  const orgId = organization === ALL_ORGANIZATIONS ? null : parseUuid(organization);
  const days = DAYS.find((known) => known === field('days'));
  if ((orgId === null && organization !== ALL_ORGANIZATIONS) || days === undefined) return null;
  return { orgId, days: days === '' ? null : Number(days) };
}
