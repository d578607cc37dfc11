import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { obstaclesOf, obstaclesOfAllKinds } from '../browser/obstacles';
import type { TestApp } from '../service/app';
import { patience } from '../time-bound';
import { signInByForm } from '../web-interface/browser-cookie';

const PATIENCE_MS = 45_000;

/** Somebody who is signed in and looks at the console; what goes wrong in their browser is kept. */
export class ConsoleVisit {
  private readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly origin: string,
    private readonly orgId: string,
  ) {
    page.on('pageerror', ({ message }) => this.faults.push(message));
    page.on('console', (message) => {
      // A refused call is answered on the page; the browser's line about it has no address of its own.
      const isOfCall = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isOfCall) this.faults.push(message.text());
    });
    page.on('request', (request) => {
      const { origin: asked, protocol } = new URL(request.url());
      if (asked !== origin && protocol.startsWith('http')) this.faults.push(`asks ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 500) this.faults.push(`${response.status()} of ${response.url()}`);
    });
    // A script of somebody else's text.
    page.on('dialog', (dialog) => {
      this.faults.push(`a dialog says ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  /**
   * Signs in, and opens a page of an organization.
   * @param options as of a context: the width of the screen, the scheme of colours
   */
  static async open(
    browser: Browser,
    service: TestApp,
    { key, orgId }: { readonly key: string; readonly orgId: string },
    path: string,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<ConsoleVisit> {
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(patience(PATIENCE_MS));
    const [name = '', value = ''] = (await signInByForm(service, key)).split('=');
    await context.addCookies([{ name, value, url: service.url }]);
    const visit = new ConsoleVisit(await context.newPage(), context, service.url, orgId);
    await visit.goTo(path);
    return visit;
  }

  /** Opens another page of the organization, by its address, and waits until it shows what it loads. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.origin}/console/${this.orgId}/${path}`);
    await this.page.waitForLoadState('networkidle');
    // Where the machine is busy, half a second may pass before a page asks for anything.
    await this.loaded();
  }

  /** Waits while the page is loaded, and has no heading yet, or loads what it shows. */
  async loaded(): Promise<void> {
    await this.page.locator('main:has(h1):not(:has([aria-busy="true"]))').waitFor();
  }

  /** The names in the menu. */
  menu(): Promise<string[]> {
    return this.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
  }

  /** The cells of a table's rows, without its head. @param name of the table */
  async rows(name: string): Promise<string[][]> {
    const rows = await this.page.getByRole('region', { name, exact: true }).locator('tbody tr').all();
    return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** A field of a form, by its whole label. */
  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true });
  }

  /** The row of a table that has a text. */
  row(text: string): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  /** The name of what has the focus; `BODY` for nothing. */
  async focused(): Promise<string> {
    return z
      .string()
      .parse(
        await this.page.evaluate(
          `((of) => of.getAttribute('aria-label') ?? (of === document.body ? 'BODY' : of.textContent))(document.activeElement)`,
        ),
      );
  }

  /** What people with an assistive program, a narrow screen or a keyboard would stumble over; empty for nothing. */
  obstacles(): Promise<string[]> {
    return obstaclesOf(this.page);
  }

  /** {@link obstacles} of the page as it is, in the dark, and on the narrowest screen. */
  obstaclesOfAllKinds(): Promise<string[]> {
    return obstaclesOfAllKinds(this.page);
  }

  /** What has gone wrong in the browser since this was asked last. */
  takeFaults(): string[] {
    return this.faults.splice(0);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
