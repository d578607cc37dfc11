import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { z } from 'zod';

/** The rules of WCAG 2.2 at level AA, and what is good practice beside them. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Of them, what the scheme of colours makes a difference to. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Once colours that change, as with the scheme of the system, have changed. Of what is as it should be, axe lists no elements. */
const look = (rules: readonly string[]): string => `(async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await Promise.allSettled(
    document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished));
  const { violations } = await axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] });
  const overflow = document.documentElement.scrollWidth - innerWidth;
  const elements = overflow > 0 ? [...document.body.querySelectorAll('*')] : [];
  const beyond = elements
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.cloneNode().outerHTML)
    .slice(0, 5).join(' ');
  return { violations, overflow, beyond };
})()`;

const seenSchema = z.object({
  violations: z.array(
    z.object({ id: z.string(), nodes: z.array(z.object({ target: z.array(z.unknown()) })) }),
  ),
  overflow: z.number(),
  /** The elements that reach beyond the right edge of the page. */
  beyond: z.string(),
});

/** What people with an assistive program, a narrow screen or a keyboard would stumble over in a page; empty for nothing. */
export function obstaclesOf(page: Page): Promise<string[]> {
  return obstaclesBy(page, RULES);
}

/** @param rules their tags or their names */
async function obstaclesBy(page: Page, rules: readonly string[]): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const { violations, overflow, beyond } = seenSchema.parse(await page.evaluate(look(rules)));
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`),
    ...(overflow > 0 ? [`the page is ${overflow} px too wide: ${beyond}`] : []),
  ];
}

/** {@link obstaclesOf} a page as it is, in the dark, and on the narrowest screen. */
export async function obstaclesOfAllKinds(page: Page): Promise<string[]> {
  const size = page.viewportSize();
  const asIs = await obstaclesOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await obstaclesBy(page, RULES_OF_COLOURS);
  await page.setViewportSize({ width: 320, height: 640 });
  const narrow = await obstaclesOf(page);
  await page.emulateMedia({ colorScheme: 'light' });
  if (size !== null) await page.setViewportSize(size);
  return [...asIs, ...inDark.map((what) => `dark: ${what}`), ...narrow.map((what) => `narrow: ${what}`)];
}
