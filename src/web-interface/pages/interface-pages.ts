import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Authentication, type VerifiedKey } from '../../auth';
import { publicUrl, SETTINGS, type Settings } from '../../config';
import { PAGE_POLICY } from '../../http';
import { LOGIN_PATH } from '../sign-in/sign-in-paths';
import { IndexPage } from './index-page';
import { removeIgnoredHeaders, setPageHeaders } from '../headers/page-headers';
import { pagePolicy } from './page-policy';
import { settingsPage } from './settings-page';

/** Fast enough to compress a page of a few kilobytes on each request. */
const QUICK_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const COMPRESSIONS: Readonly<Record<string, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, QUICK_BROTLI),
  gzip: (text) => promisify(gzip)(text),
};

/** Serves the web interface's page, and redirects visitors who are not signed in to the sign-in page. */
@Injectable()
export class InterfacePages {
  constructor(
    private readonly page: IndexPage,
    private readonly authentication: Authentication,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Responds to one request. It may come from a link on another site: showing the page has no effect by itself. */
  async respond(request: Request, response: Response): Promise<void> {
    const visitor = await this.authentication.visitor(request);
    if (visitor === null) redirectToSignIn(request, response);
    else if (/^\/settings\/?(\?|$)/.test(request.originalUrl)) this.sendSettings(request, response);
    else await this.sendPage(visitor, request, response);
  }

  private sendSettings(request: Request, response: Response): void {
    setPageHeaders(request, response, PAGE_POLICY);
    response.set({ 'Cache-Control': 'private, no-cache', Vary: 'Cookie' }).type('html');
    response.send(settingsPage(publicUrl(this.settings)));
  }

  private async sendPage(visitor: VerifiedKey, request: Request, response: Response): Promise<void> {
    const { userId, boundOrgId, currentOrgId } = visitor;
    const text = this.page.textFor({ userId, orgId: boundOrgId ?? currentOrgId });
    const policy = pagePolicy(this.page.scriptSources, this.settings, request.headers.host);
    setPageHeaders(request, response, policy);
    response.set({
      'Cache-Control': 'private, no-cache',
      Vary: 'Cookie, Accept-Encoding',
      ETag: IndexPage.tagOf(text),
    });
    const coding = Object.keys(COMPRESSIONS).find((name) => request.acceptsEncodings(name) === name);
    if (coding !== undefined) response.set('Content-Encoding', coding);
    response.type('html').send((await COMPRESSIONS[coding ?? '']?.(text)) ?? text);
  }
}

function redirectToSignIn(request: Request, response: Response): void {
  const { originalUrl } = request;
  removeIgnoredHeaders(request, response);
  const returnTo = originalUrl === '/' ? '' : `?returnTo=${encodeURIComponent(originalUrl)}`;
  response.set({ 'Cache-Control': 'no-store', Vary: 'Cookie' }).redirect(302, `${LOGIN_PATH}${returnTo}`);
}
