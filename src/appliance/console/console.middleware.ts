import { readFile } from 'node:fs/promises';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { html } from '../../kernel/common';
import { publicPath, SETTINGS, type Settings } from '../../kernel/config';
import { redirectPage, setPageHeaders, StaticFiles } from '../../kernel/http';
import { signInAddress, Visitors } from '../../accounts/sign-in';
import { CONSOLE_PATH } from './built-console';
import { type ConsolePagesByName, listedPages } from './extension-pages';

/** Scripts and styles are files of the service; it connects to the service alone. Icons of controls are in the styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What stands in the built page for the base path of the service, and for the pages of extensions. */
const BASE = '%BASE%';
const PAGES = '%PAGES%';

/** Below it are the scripts of these pages, each by its name. */
const EXTENSIONS = '/extensions/';

/** The console's only HTML page, served at all of its paths. */
export class ConsolePage {
  private constructor(
    readonly text: string,
    private readonly pages: ConsolePagesByName,
  ) {}

  /** @param base what comes before the service's own paths */
  static of(built: string, base: string, pages: ConsolePagesByName): ConsolePage {
    const listed = html`${JSON.stringify(listedPages(pages))}`.text;
    return new ConsolePage(
      built.replaceAll(BASE, html`${base}`.text).replace(PAGES, () => listed),
      pages,
    );
  }

  /** The file with the script of an extension's page; null where there is none. @param path below the console's */
  scriptAt(path: string): string | null {
    const name = /^\/extensions\/(.+)\.js$/.exec(path)?.[1] ?? '';
    return Object.hasOwn(this.pages, name) ? (this.pages[name]?.script ?? null) : null;
  }
}

/** Serves the console's files, and its page to whoever is signed in; everybody else is redirected to the sign-in page. */
@Injectable()
export class ConsoleMiddleware implements NestMiddleware {
  private readonly base: string;

  constructor(
    private readonly files: StaticFiles,
    private readonly page: ConsolePage,
    private readonly visitors: Visitors,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.base = publicPath(settings);
  }

  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    // Express strips the mount path of a middleware from `path`.
    const [path = ''] = request.originalUrl.split('?', 1);
    const name = path.slice(CONSOLE_PATH.length);
    const script = this.page.scriptAt(name);
    if (request.method !== 'GET' && request.method !== 'HEAD') next();
    else if (script !== null) await this.sendScript(script, response);
    else if (name.startsWith(EXTENSIONS)) next();
    else if (name.startsWith('/assets/')) {
      if (!(await this.files.send(name, request, response))) next();
    } else if ((await this.visitors.of(request)) === null)
      redirectPage(request, response, signInAddress(this.base, this.base + request.originalUrl));
    else this.sendPage(request, response);
  }

  /** Public, as all scripts of the console are; a new version of an extension has the same name. */
  private async sendScript(file: string, response: Response): Promise<void> {
    response.set('Cache-Control', 'no-cache');
    response.type('js').send(await readFile(file));
  }

  private sendPage(request: Request, response: Response): void {
    setPageHeaders(request, response, POLICY);
    response.set({ 'Cache-Control': 'private, no-cache', Vary: 'Cookie', 'X-Robots-Tag': 'noindex' });
    response.type('html').send(this.page.text);
  }
}
