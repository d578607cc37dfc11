import { Controller, Get, Inject, Post, Query, Req, Res, Injectable } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, isOwnPage } from '../../../kernel/auth';
import { publicPath, SETTINGS, type Settings } from '../../../kernel/config';
import { redirectPage, refusalOf, sendPage, readForm } from '../../../kernel/http';
import { Field, string } from '../../../kernel/validation';
import { returnPath } from './return-path';
import { SignInPage } from './sign-in-page';
import { foreignFormPage } from './sign-in-pages';
import { LOGIN_PATH, LOGOUT_PATH } from '../session/sign-in-paths';
import { SignIn } from '../session/sign-in.service';
import { Visitors } from '../session/visitors';

/** A field of a form by its name; empty where there is none. */
export type FormField = (name: string) => string;

/** Handles forms of the service's own pages only: no other site can sign somebody in or out, or change their account. */
@Injectable()
export class OwnForms {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Reads a form, or responds that it came from elsewhere.
   * @returns null for what was refused
   * @throws NotAFormError, BodyTooLargeError, BodyIncompleteError
   */
  async read(request: Request, response: Response): Promise<FormField | null> {
    if (isOwnPage(request, this.settings)) return readForm(request);
    sendPage(request, response, { status: 403, html: foreignFormPage() });
    return null;
  }
}

class SignInQuery {
  @Field(string(), { description: 'Where to go on after signing in, a path of this service.', example: '/' })
  returnTo = '/';

  @Field(string(), { description: 'Not empty where the service asked for it.', example: 'yes' })
  again = '';

  @Field(string(), { description: 'The organization whose providers are offered.', example: '' })
  org = '';
}

const AGAIN =
  'To change keys, roles, invitations or credentials, sign in again: you signed in more than an hour ago. Then you are back where you were, and can make the change.';

const ENDED = 'Your session has ended. Sign in again to go on.';

/** Sign-in and sign-out pages for people; programs use keys. */
@ApiExcludeController()
@Public()
@Controller()
export class SignInController {
  private readonly base: string;

  constructor(
    private readonly signIn: SignIn,
    private readonly visitors: Visitors,
    private readonly forms: OwnForms,
    private readonly page: SignInPage,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.base = publicPath(settings);
  }

  @Get(LOGIN_PATH)
  async showSignIn(
    @Query() query: SignInQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visitor = await this.visitors.of(request);
    const hasEnded = visitor === null && this.visitors.bringsSession(request);
    const email = visitor?.email ?? null;
    const problem = hasEnded ? ENDED : query.again === '' ? null : AGAIN;
    const { returnTo, org } = query;
    const again = query.again !== '';
    const html = await this.page.write({ returnTo, email, problem, again, wanted: { org } });
    sendPage(request, response, { status: 200, html });
  }

  @Post(LOGIN_PATH)
  async submitSignIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const field = await this.forms.read(request, response);
    if (field === null) return;
    try {
      const cookie = await this.signIn.signIn(request, field('key').trim());
      redirectPage(request, response, returnPath(field('returnTo'), this.base), { 'Set-Cookie': cookie });
    } catch (error) {
      const { status, headers, message, isWrong } = refusalOf(error);
      const problem = isWrong ? 'This key does not work. Check that you copied all of it.' : message;
      const html = await this.page.write({ returnTo: field('returnTo'), problem });
      sendPage(request, response, { status, headers, html });
    }
  }

  @Post(LOGOUT_PATH)
  async submitSignOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    if ((await this.forms.read(request, response)) === null) return;
    const cookie = await this.signIn.signOut(request);
    redirectPage(request, response, this.base + LOGIN_PATH, { 'Set-Cookie': cookie });
  }
}
