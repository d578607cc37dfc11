import type { Page } from 'playwright-core';
import { eventually } from '../eventually';
import { type Control, PAGE_CONTROLS, type Spot } from './page-controls';
import type { WatchedPage } from './watched-page';

/** How long nothing has to change on a page until it counts as at rest. */
const QUIET_MS = 300;
const PATIENCE_MS = 45_000;
/** Shorter than anybody waits for a sign that something was pressed; only what does nothing takes so long. */
const SIGN_MS = 10_000;
/** How long a control may take to be on a page that was opened again. */
const RETURN_MS = 3_000;

/** Runs in the page: whether it is at rest, once it computes nothing, after which it may change. */
const REST = `new Promise((resolve) => requestIdleCallback(
  () => resolve(document.readyState === 'complete' && performance.now() - window.changedAt > ${QUIET_MS}),
  { timeout: 2_000 },
))`;

/** How far the crawl of a page goes. */
export interface CrawlOptions {
  /** Presses one after the other: 1 is the page itself, 2 also what the first press opened. */
  readonly depth: number;
  /** Keys of what is not pressed, as it ends what is crawled. */
  readonly spare: RegExp;
  /** What is no fault. */
  readonly expected: RegExp;
}

/**
 * Presses everything on the pages of the interface, and notes what went wrong. It presses once what is on all pages: links, and
 * what the first page has.
 */
export class Crawler {
  private readonly pressed = new Set<string>();
  /** What the first page has. */
  private readonly frame = new Set<string>();
  private readonly inFlight = new Set<unknown>();
  private signs = 0;

  private constructor(
    private readonly watched: WatchedPage,
    private readonly options: CrawlOptions,
  ) {}

  /** @param watched a page, which the crawl opens anew */
  static async on(watched: WatchedPage, options: CrawlOptions): Promise<Crawler> {
    const crawler = new Crawler(watched, options);
    const { page } = watched;
    await page.addInitScript(PAGE_CONTROLS);
    page.on('request', (request) => {
      crawler.inFlight.add(request);
      crawler.signs += 1;
    });
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => crawler.inFlight.delete(request));
    for (const sign of ['download', 'filechooser', 'popup', 'framenavigated'] as const)
      page.on(sign as 'popup', () => (crawler.signs += 1));
    page.on('framenavigated', () => crawler.inFlight.clear());
    return crawler;
  }

  /** How many controls were pressed so far. */
  get count(): number {
    return this.pressed.size;
  }

  /** Presses everything on a page that was not pressed before. @returns what went wrong, in words */
  async crawl(url: string): Promise<string[]> {
    const faults = await this.open(url);
    if (this.count === 0) for (const { key } of await this.controls()) this.frame.add(key);
    return [...faults, ...(await this.pressAll(url, [], []))];
  }

  /**
   * Presses what was not pressed yet.
   * @param before what was pressed to get there
   * @param known what was shown before the last of these, and is pressed without it
   */
  private async pressAll(
    url: string,
    before: readonly Control[],
    known: readonly Control[],
  ): Promise<string[]> {
    const faults: string[] = [];
    const shown = await this.controls();
    for (const control of shown.filter((one) => this.isNew(url, one) && !isAmong(known, one))) {
      this.pressed.add(this.nameOf(url, control));
      const chain = [...before, control];
      const spot = await this.reach(url, before, control);
      if (spot === null) continue;
      faults.push(
        ...(spot.isCovered ? [`${wordsOf(url, chain)}: is covered`] : await this.press(url, chain)),
      );
      if (chain.length === this.options.depth || !this.isAt(url)) continue;
      const after = await this.controls();
      if (after.some((one) => this.isNew(url, one) && !isAmong(shown, one)))
        faults.push(...(await this.pressAll(url, chain, shown)));
    }
    return faults;
  }

  private isNew(url: string, control: Control): boolean {
    return (
      !this.pressed.has(this.nameOf(url, control)) && !this.options.spare.test(control.key) && control.nth < 2
    );
  }

  private nameOf(url: string, { key, nth, isLink }: Control): string {
    const place = isLink || this.frame.has(key) ? '' : new URL(url).pathname;
    return `${place} ${key} ${nth}`;
  }

  /** Goes to where a control can be pressed, by the shortest way there is. @returns where it is, or null if it is not there */
  private async reach(url: string, before: readonly Control[], control: Control): Promise<Spot | null> {
    // What an earlier press opened on the page itself would close with this one, as though this one had done something.
    if (before.length > 0 && this.isAt(url)) {
      const spot = await this.find(control);
      if (isFree(spot)) return spot;
    }
    if (this.isAt(url)) await this.close();
    else await this.page.goBack().catch(() => null);
    await this.rest();
    if (this.isAt(url)) {
      const spot = await this.leadsTo(before, control, 0);
      if (isFree(spot)) return spot;
    }
    await this.open(url);
    return this.leadsTo(before, control, RETURN_MS);
  }

  /** Presses what leads to a control, and was to be there. */
  private async leadsTo(
    before: readonly Control[],
    control: Control,
    patienceMs: number,
  ): Promise<Spot | null> {
    for (const one of before) {
      const spot = await this.find(control);
      if (isFree(spot)) return spot;
      if (!isFree(await this.appears(one, patienceMs))) return null;
      await this.click(one);
      await this.rest();
    }
    return this.appears(control, patienceMs);
  }

  private async open(url: string): Promise<string[]> {
    await this.page.goto(url);
    await this.rest();
    return this.faultsOf(url);
  }

  private async press(url: string, chain: readonly Control[]): Promise<string[]> {
    const name = wordsOf(url, chain);
    const control = chain.at(-1)!;
    await this.hover(control);
    await this.rest();
    // What was closing when it was found is opened again.
    if ((await this.find(control)) === null && (await this.reach(url, chain.slice(0, -1), control)) === null)
      return [];
    const changes = await this.changes();
    this.signs = 0;
    await this.click(control);
    const answered = await eventually(async () => {
      const now = await this.changes();
      if (this.signs === 0 && now === changes) throw new Error('Nothing happened.');
    }, SIGN_MS).then(
      () => true,
      () => false,
    );
    await this.rest();
    const faults = await this.faultsOf(name);
    return answered ? faults : [`${name}: does nothing`, ...faults];
  }

  private async faultsOf(name: string): Promise<string[]> {
    const text = await this.page.evaluate<string>('document.body.innerText.trim()');
    const blank = text.length < 20 || text.includes('404 Not Found') ? [`blank page: ${text}`] : [];
    return [...blank, ...(await this.watched.takeFaults())]
      .map((fault) => `${name}: ${fault}`)
      .filter((fault) => !this.options.expected.test(fault));
  }

  /** Waits until the page asks for nothing more, and nothing changes on it; what goes on for ever is not waited for. */
  private async rest(): Promise<void> {
    await eventually(async () => {
      const quiet = await this.page.evaluate<boolean>(REST);
      if (!quiet || this.inFlight.size > 0) throw new Error('Something is going on.');
    }, SIGN_MS).catch(() => undefined);
  }

  /** Closes what is open, and leaves the field that has the focus. */
  private async close(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await this.evaluate('document.activeElement?.blur()');
  }

  /** @returns where the pointer is then, or null if the control has gone meanwhile */
  private async hover(control: Control): Promise<Spot | null> {
    const spot = await this.find(control);
    if (spot !== null) await this.page.mouse.move(spot.x, spot.y);
    return spot;
  }

  /** Presses what is where the control is, as a person does. */
  private async click(control: Control): Promise<void> {
    const spot = await this.hover(control);
    if (spot !== null) await this.page.mouse.click(spot.x, spot.y);
  }

  private isAt(url: string): boolean {
    return new URL(this.page.url()).pathname === new URL(url).pathname;
  }

  private controls(): Promise<Control[]> {
    return this.evaluate<Control[]>('window.controls()');
  }

  private changes(): Promise<number> {
    return this.evaluate<number>('window.changes');
  }

  private find(control: Control): Promise<Spot | null> {
    return this.evaluate<Spot | null>(`window.spot(${JSON.stringify(control)})`);
  }

  /** Waits for a control of a page that was opened again; not all come back, such as what was there for a moment. */
  private appears(control: Control, patienceMs: number): Promise<Spot | null> {
    return eventually(async () => {
      const spot = await this.find(control);
      if (!isFree(spot)) throw new Error('It cannot be pressed.');
      return spot;
    }, patienceMs).catch(() => this.find(control));
  }

  /** A page that is just left has nothing to ask for a moment. */
  private evaluate<T>(script: string): Promise<T> {
    return eventually(() => this.page.evaluate<T>(script), PATIENCE_MS);
  }

  private get page(): Page {
    return this.watched.page;
  }
}

function isAmong(controls: readonly Control[], { key }: Control): boolean {
  return controls.some((one) => one.key === key);
}

function isFree(spot: Spot | null): boolean {
  return spot !== null && !spot.isCovered;
}

function wordsOf(url: string, chain: readonly Control[]): string {
  return `${new URL(url).pathname}: ${chain.map(({ key }) => key).join(' > ')}`;
}
