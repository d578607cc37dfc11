import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../../kernel/auth';
import { type Html, html, ownPrograms } from '../../../kernel/common';
import { publicPath, SETTINGS, type Settings } from '../../../kernel/config';
import { CONSOLE, page, PAGE_POLICY } from '../../../kernel/http';

const INSTALL = html`<p>On its machine; then start the service again:</p>
  <pre><code>npm run web:install</code></pre>`;
const NOT_INSTALLED = html`<p>It is not installed (<code>docs/web-interface.md</code>).</p>`;
const SWITCHED_OFF = html`<p>It is switched off (<code>WEB_UI=off</code>).</p>`;

/**
 * @param prefix of the service's paths, as browsers see them
 * @param cli the words before a command of operators
 */
function startPage(prefix: string, cli: string, ofInterface: Html, forPeople: Html | null): string {
  return page('Organization Conversation Service', [
    html`<h1>Organization Conversation Service</h1>
      <p>The service is running. It has no web interface here.</p>
      ${forPeople}
      <section aria-labelledby="api-title">
        <h2 id="api-title">The API</h2>
        <p>
          <a href="${prefix}/docs">Try the operations</a>, or read the
          <a href="${prefix}/openapi.json">document</a>.
        </p>
      </section>
      <section aria-labelledby="key-title">
        <h2 id="key-title">A key</h2>
        <p>
          The first one was shown when the service started for the first time. Another one, on its machine:
        </p>
        <pre><code>${cli} key:issue --owner</code></pre>
      </section>
      <section aria-labelledby="web-title">
        <h2 id="web-title">The web interface</h2>
        ${ofInterface}
      </section>`,
  ]);
}

/** The page at `/` when no web interface is served. */
@ApiExcludeController()
@Public()
@Controller()
export class StartPageController {
  private readonly startPage: string;

  constructor(@Inject(SETTINGS) settings: Settings, @Inject(CONSOLE) console: string | null) {
    const { cli, hasScripts } = ownPrograms();
    const notInstalled = hasScripts ? INSTALL : NOT_INSTALLED;
    const ofInterface = settings.WEB_UI === 'off' ? SWITCHED_OFF : notInstalled;
    const base = publicPath(settings);
    const ofConsole =
      console === null
        ? null
        : html`<p><a href="${console}">Console</a>: the pages of your organization.</p>`;
    const forPeople = html`${ofConsole}
      <p><a href="${base}/settings">Your keys and sessions</a>, once you have signed in.</p>`;
    this.startPage = startPage(base, cli, ofInterface, settings.WEB_UI === 'on' ? forPeople : null);
  }

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', PAGE_POLICY)
  @Header('Cache-Control', 'no-cache')
  showStartPage(): string {
    return this.startPage;
  }
}
