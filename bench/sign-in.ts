/**
 * How long a sign-in at an OpenID provider takes, over HTTP alone: a certified provider in a process of its own, and people who come
 * for the first time and again. Apart are what the browser waits for the service at the beginning and at the end (which has the
 * provider's answer about the code in it), and the processor time of the service; beside a sign-in with a key in the same
 * run. Needs the built service (`npm run build`).
 *
 *   npm run bench -- sign-in [--people 200]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { FormBrowser } from '../test/support/identity/form-browser';
import { freePort } from '../test/support/service/free-port';
import { signInByForm } from '../test/support/web-interface/browser-cookie';
import { MeasuredServices } from './measured-services';
import { options } from './options';
import { quantile, round } from './org-list-load';
import { processorMs } from './processor-time';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const { people: PEOPLE } = options({ people: 200 });
const WARM_UP = 20;
const DOMAIN = 'acme.example';

const providerSchema = z.object({
  issuer: z.string(),
  host: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});

/** In milliseconds. */
interface SignInTimes {
  /** With the pages of the provider. */
  readonly whole: number;
  readonly begin: number;
  readonly end: number;
}

/** Signs somebody in, with a browser that has not been here. @throws Error when they are not */
async function signInAt(url: string, login: string): Promise<SignInTimes> {
  const ofService: number[] = [];
  const { host } = new URL(url);
  const browser = new FormBrowser((to, ms) => {
    if (to.host === host) ofService.push(ms);
  });
  const began = performance.now();
  const page = await browser.open(`${url}/login/oidc/installation?returnTo=/login`);
  const agreed = await browser.open(page.url.href, { prompt: 'login', login, password: 'any' });
  const { html } = await browser.open(agreed.url.href, { prompt: 'consent' });
  const whole = performance.now() - began;
  if (!html.includes(`As ${login}@${DOMAIN}`)) throw new Error(`${login} was not signed in: ${html}`);
  // The third is the page to which the browser goes on.
  const [begin = NaN, end = NaN] = ofService;
  return { whole, begin, end };
}

const quantiles = (times: readonly number[]) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) });

/** One after the other. */
async function eachOf<Result>(
  child: ChildProcess,
  names: readonly string[],
  act: (name: string) => Promise<Result>,
): Promise<{ readonly results: Result[]; readonly cpuMs: number }> {
  const before = processorMs(child.pid);
  const results: Result[] = [];
  for (const name of names) results.push(await act(name));
  return { results, cpuMs: round((processorMs(child.pid) - before) / names.length) };
}

async function main(): Promise<void> {
  const file = join(__dirname, 'sign-in', 'provider.ts');
  const provider = fork(file, { execArgv: ['--require', '@swc-node/register'] });
  const services = await MeasuredServices.start();
  try {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const known = providerSchema.parse((await once(provider, 'message'))[0]);
    const other = await services.replica('other', UNLIMITED);
    const orgId = await services.organization(other);
    await services.end(other);
    const { child } = await services.replica('sign-in', {
      ...UNLIMITED,
      PORT: String(port),
      PUBLIC_URL: url,
      OIDC_ISSUER: known.issuer,
      OIDC_CLIENT_ID: known.clientId,
      OIDC_CLIENT_SECRET: known.clientSecret,
      OIDC_ALLOWED_HOSTS: known.host,
      OIDC_ORG_ID: orgId,
      OIDC_DEFAULT_ROLE: 'member',
    });
    const names = Array.from({ length: PEOPLE + WARM_UP }, (_, n) => `person-${n}`);
    const serves = once(provider, 'message');
    provider.send({ redirectUri: `${url}/login/oidc/installation/callback`, people: names, domain: DOMAIN });
    await serves;
    const withProvider = async (who: readonly string[]): Promise<object> => {
      const { results, cpuMs } = await eachOf(child, who, (name) => signInAt(url, name));
      const of = (part: keyof SignInTimes) => quantiles(results.map((times) => times[part]));
      return { whole: of('whole'), begin: of('begin'), end: of('end'), cpuMsOfService: cpuMs };
    };
    await withProvider(names.slice(PEOPLE));
    const who = names.slice(0, PEOPLE);
    const [first, again] = [await withProvider(who), await withProvider(who)];
    const { results, cpuMs } = await eachOf(child, who, async () => {
      const began = performance.now();
      await signInByForm({ url }, services.key);
      return performance.now() - began;
    });
    const withKey = { whole: quantiles(results), cpuMsOfService: cpuMs };
    report('sign-in', { people: PEOPLE, milliseconds: { first, again, withKey } });
  } finally {
    provider.disconnect();
    await services.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
