import type { Browser } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../browser/chromium';
import { Crawler } from './crawler';
import { WatchedPage } from './watched-page';

const ORIGIN = 'http://pages.test';
const PATIENCE_MS = 60_000;

/** Opens a list as libraries of controls do: when it gets the focus, and not when it is clicked only. */
const COMBOBOX = `
<input role="combobox" aria-label="Language"
  onfocus="choices.hidden = false" onblur="choices.hidden = true" onkeydown="if (event.key === 'Escape') choices.hidden = true">
<div id="choices" hidden>English</div>`;

/** Lies over the whole page until it is closed. */
const DIALOG = `
<dialog id="dialog"><p>A dialog</p><button onclick="dialog.close()">Close</button></dialog>
<button onclick="dialog.showModal()">Open</button>`;

describeInBrowser('the crawl of a page', () => {
  let browser: Browser;

  beforeAll(async () => (browser = await startBrowser()));
  afterAll(() => browser.close());

  const crawl = async (content: string): Promise<string[]> => {
    const watched = await WatchedPage.open(browser, ORIGIN, PATIENCE_MS);
    const body = `<title>A page</title><p>A page with some controls.</p>${content}`;
    await watched.page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body }));
    const crawler = await Crawler.on(watched, { depth: 2, spare: /Spared/, expected: /expected/ });
    try {
      return await crawler.crawl(`${ORIGIN}/`);
    } finally {
      await watched.page.context().close();
    }
  };

  it('finds no fault with what opens, closes, is chosen, asks or leads elsewhere', async () => {
    const others = `
      <button onclick="fetch('/asked')">Ask</button>
      <a href="/elsewhere">Leave</a>
      <button aria-pressed="true">Chosen</button>
      <button disabled>Not now</button>
      <button>Spared</button>`;
    expect(await crawl(COMBOBOX + DIALOG + others)).toEqual([]);
  });

  it('presses each control of the page below an open dialog when that is closed', async () => {
    const below = `<button onclick="document.body.append('Seen.')">Below</button>`;
    expect(await crawl(DIALOG + below)).toEqual([]);
  });

  it('finds what does nothing, though it marks that it is touched, and something is open beside it', async () => {
    const touched = `<button onpointerdown="this.dataset.pressed = true" onfocus="this.dataset.focus = true">Idle</button>`;
    expect(await crawl(COMBOBOX + touched)).toEqual(['/: Idle: does nothing']);
  });

  it('finds what does nothing in a dialog', async () => {
    const open = `<button onclick="this.insertAdjacentHTML('afterend', '<button>Idle</button>')">Open</button>`;
    expect(await crawl(open)).toEqual(['/: Open > Idle: does nothing']);
  });

  it('finds what nobody can press, as something else lies over it', async () => {
    const covered = `<button onclick="document.body.append('Seen.')">Below</button>`;
    expect(await crawl(`${covered}<div style="position: fixed; inset: 0"></div>`)).toEqual([
      '/: Below: is covered',
    ]);
  });

  it('finds errors in the console, and pages that are blank', async () => {
    const faulty = `
      <button onclick="console.error('It is wrong.'), document.body.append('Seen.')">Fail</button>
      <button onclick="document.body.innerText = ''">Empty</button>`;
    expect(await crawl(faulty)).toEqual([
      expect.stringContaining('/: Fail: console: It is wrong.'),
      '/: Empty: blank page: ',
    ]);
  });
});
