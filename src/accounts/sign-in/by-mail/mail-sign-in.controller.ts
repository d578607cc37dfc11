import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../kernel/auth';
import { publicPath, SETTINGS, type Settings } from '../../../kernel/config';
import { redirectPage, refusalOf, sendPage } from '../../../kernel/http';
import { Mailer } from '../../mail';
import { Field, string } from '../../../kernel/validation';
import { LinkSignIn } from '../links/link-sign-in';
import { returnPath } from '../pages/return-path';
import { type FormField, OwnForms } from '../pages/sign-in.controller';
import { codePage, linkPage, untriedLinkPage } from '../pages/proof-pages';
import { SignInPage } from '../pages/sign-in-page';
import { CODE_PATH, LINK_PATH, MAIL_PATH } from '../session/sign-in-paths';
import { MailSignIn } from './mail-sign-in';

class LinkQuery {
  @Field(string(), { description: 'The token of the link.', example: 'q3…' })
  token = '';
}

const WRONG_CODE = 'This code does not work: it may be mistyped, used, or older than ten minutes.';

/** Sign-in by a mailed link or code, and by links of administrators. */
@ApiExcludeController()
@Public()
@Controller()
export class MailSignInController {
  private readonly base: string;

  constructor(
    private readonly mail: MailSignIn,
    private readonly links: LinkSignIn,
    private readonly mailer: Mailer,
    private readonly forms: OwnForms,
    private readonly page: SignInPage,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.base = publicPath(settings);
  }

  @Post(MAIL_PATH)
  async askForMail(@Req() request: Request, @Res() response: Response): Promise<void> {
    const field = await this.forms.read(request, response);
    if (field === null) return;
    const shown = this.shown(field);
    try {
      if (this.mailer.configured) await this.mail.ask(request, shown.email);
      sendPage(request, response, { status: 200, html: codePage({ ...shown, problem: null }) });
    } catch (error) {
      const { status, headers, message } = refusalOf(error);
      const html = await this.page.write({ returnTo: shown.returnTo, problem: message });
      sendPage(request, response, { status, headers, html });
    }
  }

  @Post(CODE_PATH)
  async enterCode(@Req() request: Request, @Res() response: Response): Promise<void> {
    const field = await this.forms.read(request, response);
    if (field === null) return;
    const shown = this.shown(field);
    try {
      const cookie = await this.mail.enter(request, shown.email, field('code'));
      redirectPage(request, response, shown.returnTo, { 'Set-Cookie': cookie });
    } catch (error) {
      const { status, headers, message, isWrong } = refusalOf(error);
      const html = codePage({ ...shown, problem: isWrong ? WRONG_CODE : message });
      sendPage(request, response, { status, headers, html });
    }
  }

  @Get(LINK_PATH)
  async showLink(
    @Query() query: LinkQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const proof = await this.links.find(query.token);
    sendPage(request, response, {
      status: proof === null ? 404 : 200,
      html: linkPage(this.base, query.token, proof),
    });
  }

  @Post(LINK_PATH)
  async useLink(@Req() request: Request, @Res() response: Response): Promise<void> {
    const field = await this.forms.read(request, response);
    if (field === null) return;
    try {
      const cookie = await this.links.use(request, field('token'));
      redirectPage(request, response, `${this.base}/`, { 'Set-Cookie': cookie });
    } catch (error) {
      const { status, headers, message, isWrong } = refusalOf(error);
      const html = isWrong ? linkPage(this.base, '', null) : untriedLinkPage(message);
      sendPage(request, response, { status, headers, html });
    }
  }

  private shown(field: FormField) {
    return {
      base: this.base,
      email: field('email').trim(),
      returnTo: returnPath(field('returnTo'), this.base),
    };
  }
}
