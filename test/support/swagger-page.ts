import type { Page } from 'playwright-core';

/** What became of an operation that was tried out. */
export interface TriedOut {
  /** The address that the page called; empty where it did not send the request. */
  readonly url: string;
  /** Of the response; null where the page did not send the request. */
  readonly status: number | null;
  /** What the page says has to be put in. */
  readonly toPutIn: readonly string[];
  /** What the page says of the permission. */
  readonly permission: string;
}

/** Swagger UI goes through all operations that were opened whenever anything changes. */
const OPENED_AT_ONCE = 12;

/** Swagger UI in a browser. */
export class SwaggerPage {
  private openTag = '';
  private opened = 0;

  private constructor(private readonly page: Page) {}

  /** Opens the page, gives it a key, and loads it again. */
  static async authorized(page: Page, url: string, key: string): Promise<SwaggerPage> {
    await page.goto(`${url}/docs`);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const scheme = page.locator('.auth-container', { hasText: 'X-Access-Token' });
    await scheme.locator('input').fill(key);
    await scheme.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).last().click();
    const opened = new SwaggerPage(page);
    await opened.reload();
    return opened;
  }

  /**
   * Opens an operation, "Try it out", and "Execute" with what the page has put in.
   * @param isEndless leaves "Execute" out: the page would wait for the end of the response
   */
  async tryOut(tag: string, operationId: string, isEndless = false): Promise<TriedOut> {
    await this.show(tag.replaceAll(' ', '_'));
    const block = `operations-${this.openTag}-${operationId}`;
    await this.page.locator(`[id="${block}"]`).waitFor();
    return this.page.evaluate<TriedOut>(`(${TRY_OUT})(${JSON.stringify(block)}, ${isEndless})`);
  }

  private async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator('.opblock-tag-section .opblock').first().waitFor();
    // What is not shown is not drawn again with every change.
    const shown = '.opblock-tag, .models-control';
    await this.page.evaluate(`for (const list of document.querySelectorAll('${shown}')) list.click()`);
    await this.page.locator('.opblock-tag-section .opblock').first().waitFor({ state: 'detached' });
    this.openTag = '';
    this.opened = 0;
  }

  private async show(tag: string): Promise<void> {
    if (this.opened++ >= OPENED_AT_ONCE) await this.reload();
    if (tag === this.openTag) return;
    const tags = [this.openTag, tag].filter((one) => one !== '').map((one) => `operations-tag-${one}`);
    await this.page.evaluate(`for (const id of ${JSON.stringify(tags)}) document.getElementById(id).click()`);
    this.openTag = tag;
  }
}

/** In the browser: at once what a person would do, and far sooner than by the mouse. */
const TRY_OUT = `async (id, isEndless) => {
  const block = document.getElementById(id);
  const shown = async (look) => {
    for (const end = Date.now() + 120_000; ; await new Promise((next) => setTimeout(next, 10))) {
      const found = look();
      if (found) return found;
      if (Date.now() > end) throw new Error(id + ' shows nothing at: ' + look);
    }
  };
  const toggle = () => block.querySelector('.opblock-summary-control').click();
  toggle();
  (await shown(() => block.querySelector('.try-out__btn'))).click();
  const execute = await shown(() => block.querySelector('.btn.execute'));
  const notes = () => [...block.querySelectorAll('.to-put-in')].map((note) => note.textContent);
  await shown(() => !notes().some((note) => note.startsWith('Asking')));
  if (!isEndless) execute.click();
  const end = isEndless ? execute : await shown(
    () => block.querySelector('.live-responses-table .response .response-col_status') ?? block.querySelector('.validation-errors'),
  );
  const status = Number.parseInt(end.textContent, 10);
  const permission = block.querySelector('.permission').textContent;
  const url = block.querySelector('.request-url pre')?.textContent.trim() ?? '';
  const found = { url, status: Number.isNaN(status) ? null : status, toPutIn: notes(), permission };
  toggle();
  return found;
}`;
