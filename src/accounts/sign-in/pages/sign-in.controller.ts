import { Controller, Get, Inject, Post, Query, Req, Res, Injectable } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public, isOwnPage } from '../../../kernel/auth';
import { publicPath, SETTINGS, type Settings } from '../../../kernel/config';
import { CONSOLE, redirectPage, refusalOf, sendPage, readForm } from '../../../kernel/http';
import { Mailer } from '../../mail';
import { Field, string } from '../../../kernel/validation';
import { signInPage, foreignFormPage } from './sign-in-pages';
import { LOGIN_PATH, LOGOUT_PATH } from '../session/sign-in-paths';
import { SignIn } from '../session/sign-in.service';
import { Visitors } from '../session/visitors';

/** A placeholder for the service's origin while a text is parsed as a link. */
const PLACEHOLDER_ORIGIN = 'http://here.invalid';

/**
 * Where to go after signing in: the requested path if it belongs to this service, else its start page. Parsed as browsers
 * parse links, since they take `//host`, `/\host` and `/<tab>/host` for another host.
 * @param base what comes before the service's own paths
 */
export function returnPath(text: string, base = ''): string {
  const start = `${base}/`;
  if (!text.startsWith('/') || !URL.canParse(text, PLACEHOLDER_ORIGIN)) return start;
  const { origin, pathname, search, hash } = new URL(text, PLACEHOLDER_ORIGIN);
  // With its dot segments removed, `/.//host` is another host.
  const isOwn = origin === PLACEHOLDER_ORIGIN && !pathname.startsWith('//') && pathname.startsWith(start);
  return isOwn ? pathname + search + hash : start;
}

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
    private readonly mailer: Mailer,
    private readonly forms: OwnForms,
    @Inject(SETTINGS) settings: Settings,
    @Inject(CONSOLE) private readonly console: string | null,
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
    sendPage(request, response, { status: 200, html: this.page(query.returnTo, { email, problem }) });
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
      const html = this.page(field('returnTo'), { email: null, problem });
      sendPage(request, response, { status, headers, html });
    }
  }

  @Post(LOGOUT_PATH)
  async submitSignOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    if ((await this.forms.read(request, response)) === null) return;
    const cookie = await this.signIn.signOut(request);
    redirectPage(request, response, this.base + LOGIN_PATH, { 'Set-Cookie': cookie });
  }

  private page(returnTo: string, shown: { email: string | null; problem: string | null }): string {
    const { base, console } = this;
    const byMail = this.mailer.configured;
    return signInPage({ base, console, byMail, returnTo: returnPath(returnTo, base), ...shown });
  }
}
