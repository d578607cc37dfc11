import type { Browser, Page, Request } from 'playwright-core';
import { eventually } from '../eventually';
import { patience } from '../time-bound';

/** What the interface's own code does wrong, wherever it is served: its editor complains when a diff is closed. */
const OWN_FAULT = 'TextModel got disposed before DiffEditorWidget model got reset';

/**
 * Notes the text of each error that flies in, where it outlives the document: the next one may come before anybody reads
 * it. It runs in the page, before all else.
 */
const NOTE_TOASTS = `
new MutationObserver(() => {
  for (const toast of document.querySelectorAll('[role="status"]:has(.lucide-circle-x)')) {
    const noted = JSON.parse(sessionStorage.getItem('toasts') ?? '[]');
    if (toast.textContent !== '' && !noted.includes(toast.textContent))
      sessionStorage.setItem('toasts', JSON.stringify([...noted, toast.textContent]));
  }
}).observe(document, { childList: true, subtree: true });
`;

/**
 * Lets clicks through what flies in, and through tooltips: as long as the mouse is on it, or on what a tooltip is of, it stays where
 * it is, over what is to be clicked. A person takes the mouse away. A sheet of its own is no matter of the page's policy.
 */
const CLICK_THROUGH = `
const sheet = new CSSStyleSheet();
sheet.replaceSync(
  '[data-rht-toaster] *, [role="tooltip"], div:has(> [role="tooltip"]) { pointer-events: none !important }');
document.adoptedStyleSheets.push(sheet);
`;

/** A request to the service. */
export interface WatchedRequest {
  readonly name: string;
  readonly ms: number;
}

/** Signs in on the sign-in page, which is shown in place of the one that was asked for. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Your key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** A page of the interface, and everything that goes wrong in it. */
export class WatchedPage {
  /** What went wrong since the last `takeFaults`. */
  private faults: string[] = [];
  /** The requests to the service that were answered. */
  readonly requests: WatchedRequest[] = [];
  private hearsConversation = false;

  private constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  /**
   * A page in a browser of its own, as it were, in which nobody has signed in; it is not opened yet.
   * @param origin of the service, at which the page will be
   * @param patienceMs how long anything may take on a machine that does nothing else
   */
  static async open(browser: Browser, origin: string, patienceMs: number): Promise<WatchedPage> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(patience(patienceMs));
    await context.addInitScript(NOTE_TOASTS);
    await context.addInitScript(CLICK_THROUGH);
    const watched = new WatchedPage(await context.newPage(), origin);
    watched.watch();
    return watched;
  }

  /** What went wrong so far: errors shown or in the console, failed requests, answers of strangers. */
  async takeFaults(): Promise<string[]> {
    const toasts = await this.page.evaluate<string[]>(`JSON.parse(sessionStorage.getItem('toasts') ?? '[]')`);
    await this.page.evaluate(`sessionStorage.removeItem('toasts')`);
    return [...this.faults.splice(0), ...toasts.map((toast) => `toast: ${toast}`)];
  }

  /** Waits until the page hears of a conversation: what is written before, the interface loses. */
  async hears(): Promise<void> {
    await eventually(() => {
      if (!this.hearsConversation) throw new Error('The page has heard of no conversation.');
    });
  }

  private watch(): void {
    const { page, origin, faults } = this;
    page.on('pageerror', (error) => {
      if (!error.message.includes(OWN_FAULT)) faults.push(`script: ${error.message}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('websocket', (socket) => {
      socket.on('socketerror', (error) => faults.push(`socket: ${socket.url()} ${error}`));
      socket.once('framereceived', () => (this.hearsConversation = true));
    });
    page.on('requestfailed', (request) => {
      // The page itself drops requests that it no longer needs.
      const reason = request.failure()?.errorText ?? '';
      if (isOf(request, origin) && reason !== 'net::ERR_ABORTED')
        faults.push(`failed: ${nameOf(request)} ${reason}`);
    });
    page.on('requestfinished', (request) => {
      this.note(request).catch((error: unknown) => {
        // A page that is closed takes the answers with it that nobody has read.
        if (!page.isClosed()) faults.push(`${nameOf(request)}: ${String(error)}`);
      });
    });
  }

  private async note(request: Request): Promise<void> {
    const response = await request.response();
    if (!isOf(request, this.origin)) {
      if (/^https?:/.test(request.url())) this.faults.push(`stranger: ${request.url()}`);
      return;
    }
    const status = response?.status() ?? 0;
    if (status >= 400) this.faults.push(`answer ${status}: ${nameOf(request)}`);
    this.requests.push({ name: nameOf(request), ms: Math.round(request.timing().responseEnd) });
  }
}

function isOf(request: Request, origin: string): boolean {
  return new URL(request.url()).origin === origin;
}

function nameOf(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`;
}
