import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Caller, Public, SignInAgainError, UnauthenticatedError } from '../../../kernel/auth';
import { AppError } from '../../../kernel/common';
import { publicPath, SETTINGS, type Settings } from '../../../kernel/config';
import { CONSOLE, redirectPage, sendPage } from '../../../kernel/http';
import { type FormField, OwnForms, signInAddress, Visitors } from '../../../accounts/sign-in';
import { type FormResult, SettingsForms } from './settings-forms';
import { settingsPage } from './settings-page';
import { SettingsViews } from './settings-view';

/** Injection token: whether the web interface is served, with pages of settings of its own. */
export const SERVES_INTERFACE = Symbol('SERVES_INTERFACE');

const PATH = '/settings';

/** The page of a person's keys, sessions and git credentials; the session suffices for its forms. */
@ApiExcludeController()
@Public()
@Controller()
export class SettingsController {
  private readonly base: string;

  constructor(
    private readonly visitors: Visitors,
    private readonly views: SettingsViews,
    private readonly changes: SettingsForms,
    private readonly forms: OwnForms,
    @Inject(SETTINGS) settings: Settings,
    @Inject(SERVES_INTERFACE) private readonly servesInterface: boolean,
    @Inject(CONSOLE) private readonly console: string | null,
  ) {
    this.base = publicPath(settings);
  }

  @Get(PATH)
  async showSettings(@Req() request: Request, @Res() response: Response): Promise<void> {
    const visitor = await this.visitors.of(request);
    if (visitor === null)
      redirectPage(request, response, signInAddress(this.base, this.base + request.originalUrl));
    else await this.send(request, response, { ...visitor, selectedOrgId: null });
  }

  @Post(PATH)
  async submitSettings(@Req() request: Request, @Res() response: Response): Promise<void> {
    const field = await this.forms.read(request, response);
    if (field === null) return;
    try {
      const caller = { ...(await this.visitors.sender(request)), selectedOrgId: null };
      await this.submit(request, response, caller, field);
    } catch (error) {
      if (error instanceof UnauthenticatedError) this.askToSignIn(request, response, false);
      else if (error instanceof SignInAgainError) this.askToSignIn(request, response, true);
      else throw error;
    }
  }

  /** A change redirects to the page, so that a reload does not repeat it. */
  private async submit(
    request: Request,
    response: Response,
    caller: Caller,
    field: FormField,
  ): Promise<void> {
    try {
      const result = await this.changes.submit(caller, field);
      if (result.problem !== null) await this.send(request, response, caller, 422, result);
      else if (result.key !== null) await this.send(request, response, caller, 200, result);
      else redirectPage(request, response, this.base + PATH);
    } catch (error) {
      if (error instanceof SignInAgainError || !(error instanceof AppError) || error.status >= 500)
        throw error;
      await this.send(request, response, caller, error.status, { key: null, problem: error.message });
    }
  }

  private askToSignIn(request: Request, response: Response, again: boolean): void {
    redirectPage(request, response, signInAddress(this.base, this.base + PATH, again));
  }

  private async send(
    request: Request,
    response: Response,
    caller: Caller,
    status = 200,
    result: FormResult = { key: null, problem: null },
  ): Promise<void> {
    const view = await this.views.of(caller);
    const { base, servesInterface, console } = this;
    sendPage(request, response, {
      status,
      html: settingsPage({ ...view, ...result, base, servesInterface, console }),
      headers: { Vary: 'Cookie' },
    });
  }
}
