import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { z } from 'zod';

/** The rules of WCAG 2.2 at level AA, and what is good practice beside them. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const violationsSchema = z.array(
  z.object({ id: z.string(), nodes: z.array(z.object({ target: z.array(z.unknown()) })) }),
);

/** Of what is as it should be, the elements are not listed. */
const RUN = `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] }).then((r) => r.violations)`;

/** Colours that change, as with the scheme of the system, have changed. */
const SETTLED = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
  Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)))
  .then(() => null)`;

/** The elements that reach beyond the right edge of the page. */
const BEYOND = `[...document.body.querySelectorAll('*')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.cloneNode().outerHTML)
  .slice(0, 5).join(' ')`;

/** What people with an assistive program, a narrow screen or a keyboard would stumble over in a page; empty for nothing. */
export async function obstaclesOf(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  await page.evaluate(SETTLED);
  const found = violationsSchema.parse(await page.evaluate(RUN));
  const overflow: unknown = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  const beyond: unknown = await page.evaluate(BEYOND);
  return [
    ...found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`),
    ...(typeof overflow === 'number' && overflow > 0
      ? [`the page is ${overflow} px too wide: ${String(beyond)}`]
      : []),
  ];
}

/** {@link obstaclesOf} a page as it is, in the dark, and on the narrowest screen. */
export async function obstaclesOfAllKinds(page: Page): Promise<string[]> {
  const size = page.viewportSize();
  const asIs = await obstaclesOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await obstaclesOf(page);
  await page.setViewportSize({ width: 320, height: 640 });
  const narrow = await obstaclesOf(page);
  await page.emulateMedia({ colorScheme: 'light' });
  if (size !== null) await page.setViewportSize(size);
  return [...asIs, ...inDark.map((what) => `dark: ${what}`), ...narrow.map((what) => `narrow: ${what}`)];
}
