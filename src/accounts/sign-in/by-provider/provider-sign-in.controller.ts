import { Controller, Get, HttpCode, Inject, Logger, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  BACKCHANNEL_LOGOUT_PATH,
  BEGIN_PATH,
  CALLBACK_PATH,
  ProviderProblem,
} from '../../identity-providers';
import { isOwnPage, Public } from '../../../kernel/auth';
import { inOneLine } from '../../../kernel/common';
import { publicPath, SETTINGS, type Settings } from '../../../kernel/config';
import { readForm, redirectPage, refusalOf, sendPage } from '../../../kernel/http';
import { Field, string } from '../../../kernel/validation';
import { returnPath } from '../pages/return-path';
import { OwnForms } from '../pages/sign-in.controller';
import { SignInPage } from '../pages/sign-in-page';
import { PROVIDER_PATH } from '../session/sign-in-paths';
import { NamedProviders } from './named-providers';
import { ProviderSessions } from './provider-sessions';
import { failedSignInPage } from '../pages/provider-sections';
import { ProviderSignIn } from './provider-sign-in';

class BeginPath {
  @Field(string(), { description: 'The provider.', example: 'installation' })
  provider!: string;
}

class BeginQuery {
  @Field(string(), { description: 'Where to go on after signing in, a path of this service.', example: '/' })
  returnTo = '/';

  @Field(string(), { description: 'Not empty where the person has to prove who they are.', example: 'yes' })
  again = '';
}

/** A longer one would not fit into the cookie. */
const MAX_RETURN_PATH = 1_500;

const NOTHING_FOUND =
  'No sign-in of an organization is known for this address. Sign in another way, or ask who looks after your organization.';

/** Sign-in with providers of identities. */
@ApiExcludeController()
@Public()
@Controller()
export class ProviderSignInController {
  private readonly logger = new Logger(ProviderSignInController.name);
  private readonly base: string;

  constructor(
    private readonly providers: NamedProviders,
    private readonly signIn: ProviderSignIn,
    private readonly sessions: ProviderSessions,
    private readonly forms: OwnForms,
    private readonly page: SignInPage,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.base = publicPath(settings);
  }

  @Post(PROVIDER_PATH)
  async chooseProvider(@Req() request: Request, @Res() response: Response): Promise<void> {
    const field = await this.forms.read(request, response);
    if (field === null) return;
    const email = inOneLine(field('email'));
    const wanted = { email };
    const problem = (await this.page.offers(wanted)) ? null : NOTHING_FOUND;
    const html = await this.page.write({
      returnTo: field('returnTo'),
      problem,
      again: field('again') !== '',
      wanted,
    });
    sendPage(request, response, { status: 200, html });
  }

  /**
   * Only a page of the service sends browsers on at once: no other site has somebody signed in as whom it likes, nor has a link in a
   * mail, which browsers open as if it had been typed.
   */
  @Get(BEGIN_PATH)
  async begin(
    @Param() path: BeginPath,
    @Query() query: BeginQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const wanted = returnPath(query.returnTo, this.base);
    const returnTo = wanted.length > MAX_RETURN_PATH ? `${this.base}/` : wanted;
    await this.orPage(request, response, returnTo, async () => {
      const provider = await this.providers.find(path.provider);
      if (!isOwnPage(request, this.settings) || request.headers['sec-fetch-site'] === 'none') {
        const of = provider.orgId === null ? {} : { org: provider.orgId };
        sendPage(request, response, {
          status: 200,
          html: await this.page.write({ returnTo, again: query.again !== '', wanted: of }),
        });
        return;
      }
      const { address, cookie } = await this.signIn.begin(provider, returnTo, query.again !== '');
      redirectPage(request, response, address, { 'Set-Cookie': cookie });
    });
  }

  @Get(CALLBACK_PATH)
  async finish(@Param() path: BeginPath, @Req() request: Request, @Res() response: Response): Promise<void> {
    await this.orPage(request, response, `${this.base}/`, async () => {
      const provider = await this.providers.find(path.provider);
      const [, query = ''] = /\?(.*)$/s.exec(request.originalUrl) ?? [];
      const { returnTo, cookies } = await this.signIn.finish(request, provider, query);
      redirectPage(request, response, returnTo, { 'Set-Cookie': cookies });
    });
  }

  /** OpenID Connect Back-Channel Logout 1.0. */
  @Post(BACKCHANNEL_LOGOUT_PATH)
  @HttpCode(200)
  async signOut(@Param() path: BeginPath, @Req() request: Request): Promise<void> {
    const field = await readForm(request);
    await this.sessions.end(await this.providers.find(path.provider), field('logout_token'));
  }

  /** Shows as a page why somebody is not signed in. */
  private async orPage(
    request: Request,
    response: Response,
    returnTo: string,
    act: () => Promise<void>,
  ): Promise<void> {
    try {
      await act();
    } catch (error) {
      // Without its cause, which may have what the provider sent.
      if (error instanceof ProviderProblem)
        this.logger.warn({ reason: error.reason }, 'Nobody was signed in');
      const { status, headers, message } = error instanceof ProviderProblem ? error : refusalOf(error);
      const html = failedSignInPage(this.base, returnTo, message);
      sendPage(request, response, { status, headers, html });
    }
  }
}
