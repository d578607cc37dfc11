import type { Browser, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../../support/service/app';
import { describeInBrowser, startBrowser } from '../../support/browser/chromium';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { inviteOne, tokenOf } from '../../support/invitations/invitations';
import { partsOf, type SmtpSink, startSmtpSink } from '../../support/invitations/smtp-sink';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

/** Runs in the page: the colour of the ground on which its texts stand, and those of the texts. */
const COLOURS = `
  const colour = (element, property) => getComputedStyle(element)[property].match(/\\d+/g).slice(0, 3).map(Number);
  [
    colour(document.querySelector('.card'), 'backgroundColor'),
    ...[...document.querySelectorAll('h1, h2, p, dt, dd, label, button.plain')].map((one) => colour(one, 'color')),
  ];
`;

/** Of a colour, as WCAG defines it. */
function luminanceOf(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

describeInBrowser('the page of an invitation, in a browser', () => {
  let sink: SmtpSink;
  let service: TestApp;
  let browser: Browser | undefined;
  const complaints: string[] = [];
  const foreign: string[] = [];

  beforeAll(async () => {
    sink = await startSmtpSink();
    service = await startTestApp({ env: { SMTP_URL: sink.url, MAIL_FROM: 'no-reply@acme.example' } });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
    await sink.close();
  });

  async function open(viewport: typeof PHONE): Promise<Page> {
    const page = await browser!.newPage({ viewport });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) foreign.push(request.url());
    });
    return page;
  }

  async function visit(page: Page, email: string): Promise<void> {
    const inviter = await makeCaller(service.db, (await makeOrg(service.db, { name: 'Acme' })).id, 'owner');
    const made = await inviteOne(service, inviter, email);
    await page.goto(`${service.url}/api/organizations/members/invite/accept?token=${tokenOf(made)}`);
  }

  it.each([
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ])('leads a new user from the link to a session and a key, on %s', async (device, viewport) => {
    const email = `${device.replace(' ', '-')}@example.com`;
    const page = await open(viewport);
    await visit(page, email);
    await page.getByRole('textbox', { name: 'Your name' }).fill('Grace Hopper');
    await page.getByRole('button', { name: 'Send me a code' }).click();
    const code = await eventually(() => {
      const mail = sink.received.findLast(({ to, raw }) => to[0] === email && raw.includes('is your code'));
      return /^ {4}(\d{6})/m.exec(partsOf(mail!).text)![1]!;
    });
    await page.getByRole('textbox', { name: 'Code' }).fill('000');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('not the code');
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome to Acme' }).waitFor();
    const key = await page.locator('.key').textContent();
    expect(key).toMatch(/^ocs_[0-9A-Za-z]{38}$/);
    await page.context().grantPermissions(['clipboard-read']);
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await page.getByRole('link', { name: 'Start working' }).click();
    await page.getByRole('link', { name: 'Your keys and sessions' }).click();
    await page.getByText(`You are signed in as ${email}.`).waitFor();
    await page.close();
  });

  it('fits a phone without scrolling sideways, with fields that can be hit and read', async () => {
    const page = await open(PHONE);
    await visit(page, `${'long-name-'.repeat(6)}@${'sub.'.repeat(20)}example.com`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    for (const control of await page.locator('button, input:not([type=hidden])').all())
      expect((await control.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await page.close();
  });

  it.each(['light', 'dark'] as const)(
    'follows a system that is %s, with texts that can be read',
    async (scheme) => {
      const page = await open(PHONE);
      await page.emulateMedia({ colorScheme: scheme });
      await visit(page, `${scheme}@example.com`);
      const [ground, ...texts] = await page.evaluate<number[][]>(COLOURS);
      expect(luminanceOf(ground!) < 0.2 ? 'dark' : 'light').toBe(scheme);
      expect(texts.length).toBeGreaterThan(10);
      const contrasts = texts.map((text) => contrastOf(luminanceOf(text), luminanceOf(ground!)));
      expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
      await page.close();
    },
  );

  it('keeps its style under its own policy, and asks nobody else for anything', () => {
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
    expect(foreign).toEqual([]);
  });
});
