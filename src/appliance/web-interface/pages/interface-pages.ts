import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { VerifiedKey } from '../../../kernel/auth';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { redirectPage, setPageHeaders } from '../../../kernel/http';
import { signInAddress, Visitors } from '../../../accounts/sign-in';
import { IndexPage } from './index-page';
import { pagePolicy } from './page-policy';

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
    private readonly visitors: Visitors,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Responds to one request. It may come from a link on another site: showing the page has no effect by itself. */
  async respond(request: Request, response: Response): Promise<void> {
    const visitor = await this.visitors.of(request);
    if (visitor === null) redirectPage(request, response, signInAddress('', request.originalUrl));
    else await this.sendPage(visitor, request, response);
  }

  /** Responds with the way to another page. */
  lead(request: Request, response: Response, path: string): void {
    redirectPage(request, response, path);
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
