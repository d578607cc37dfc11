import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../auth';
import { html } from '../../common';
import { page, PAGE_POLICY } from '../../http';

const START_PAGE = page('Organization Conversation Service', '·', [
  html`<h1>Organization Conversation Service</h1>
    <p>The service is running. It has no web interface here yet.</p>
    <section aria-labelledby="api-title">
      <h2 id="api-title">The API</h2>
      <p><a href="/docs">Try the operations</a>, or read the <a href="/openapi.json">document</a>.</p>
    </section>
    <section aria-labelledby="key-title">
      <h2 id="key-title">A key</h2>
      <p>The first one was shown when the service started for the first time. Another one, on its machine:</p>
      <pre><code>npm run --silent cli -- key:issue --email owner@localhost.example</code></pre>
    </section>
    <section aria-labelledby="web-title">
      <h2 id="web-title">The web interface</h2>
      <p>On its machine; then start the service again:</p>
      <pre><code>npm run web:install</code></pre>
    </section>`,
]);

/** The page at `/` when no web interface is installed. */
@ApiExcludeController()
@Public()
@Controller()
export class StartPageController {
  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', PAGE_POLICY)
  @Header('Cache-Control', 'no-cache')
  showStartPage(): string {
    return START_PAGE;
  }
}
