import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { isOwnPage, Public } from '../../auth';
import { AppError } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { PAGE_POLICY, readForm } from '../../http';
import { Field, string } from '../../validation';
import { removeIgnoredHeaders, setPageHeaders } from '../headers/page-headers';
import { returnPath } from './return-path';
import { foreignFormPage, signInPage } from './sign-in-pages';
import { LOGIN_PATH, LOGOUT_PATH } from './sign-in-paths';
import { SignIn } from './sign-in.service';

class SignInQuery {
  @Field(string(), { description: 'Where to go on after signing in, a path of this service.', example: '/' })
  returnTo = '/';

  @Field(string(), { description: 'Not empty where the service asked for it.', example: 'yes' })
  again = '';
}

const AGAIN =
  'To change keys, roles, invitations or credentials, sign in again: you signed in more than an hour ago. Then you are back where you were, and can make the change.';

/** Sign-in and sign-out pages for people; programs use keys. */
@ApiExcludeController()
@Public()
@Controller()
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get(LOGIN_PATH)
  async showSignIn(
    @Query() query: SignInQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const email = await this.signIn.emailOf(request);
    respond(
      request,
      response,
      200,
      signInPage({
        returnTo: returnPath(query.returnTo),
        email,
        problem: query.again === '' ? null : AGAIN,
      }),
    );
  }

  @Post(LOGIN_PATH)
  async submitSignIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.isSameOrigin(request, response)) return;
    const field = await readForm(request);
    const returnTo = returnPath(field('returnTo'));
    try {
      const cookie = await this.signIn.signIn(request, field('key').trim());
      redirect(request, response, returnTo, cookie);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      const isWrong = error.status === 401;
      if (!isWrong) response.set(error.headers);
      const problem = isWrong ? 'This key does not work. Check that you copied all of it.' : error.message;
      respond(
        request,
        response,
        isWrong ? 403 : error.status,
        signInPage({ returnTo, email: null, problem }),
      );
    }
  }

  @Post(LOGOUT_PATH)
  async submitSignOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (this.isSameOrigin(request, response))
      redirect(request, response, LOGIN_PATH, await this.signIn.signOut(request));
  }

  /** Keeps other sites from signing somebody in or out. */
  private isSameOrigin(request: Request, response: Response): boolean {
    const isOwn = isOwnPage(request, this.settings);
    if (!isOwn) respond(request, response, 403, foreignFormPage());
    return isOwn;
  }
}

function redirect(request: Request, response: Response, path: string, cookie: string): void {
  removeIgnoredHeaders(request, response);
  response.set({ 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }).redirect(303, path);
}

function respond(request: Request, response: Response, status: number, html: string): void {
  setPageHeaders(request, response, PAGE_POLICY);
  response
    .status(status)
    .set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
    .type('html')
    .send(html);
}
