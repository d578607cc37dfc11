/**
 * What a request costs by what it is authenticated with: `GET /api/keys/current` with an API key, with a JWT of an identity provider
 * whose keys are known, with an opaque token that the provider is asked about, and with the session of a browser, of one service in
 * one run. They take turns; of each figure the best round counts, because other work on the machine only makes one slower. Each is looked at anew every 300 ms, as production
 * does; what one look at a JWT takes is measured by itself, too. Needs the built service (`npm run build`).
 *
 *   npm run bench -- credentials [--seconds 3] [--rounds 5] [--connections 16]
 */
import { verifyAccessToken } from '../src/accounts/provider-tokens/jwt/access-token';
import { KeySet } from '../src/accounts/provider-tokens/jwt/key-set';
import { Clock } from '../src/kernel/common';
import { OpenIdDouble } from '../test/support/identity/openid-double';
import { FROM_OWN_PAGE, signInByForm } from '../test/support/web-interface/browser-cookie';
import { LoadProcess, type TimedTurn } from './frame/load-process';
import { better, MeasuredServices } from './measured-services';
import { options } from './options';
import { round } from './org-list-load';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const given = options({ seconds: 3, rounds: 5, connections: 16 });
const WARM_UP_SECONDS = 3;
const PATH = '/api/keys/current';
const AUDIENCE = 'urn:conversations';
const OPAQUE = 'an-opaque-token';
/** Of the user whom the first start makes. */
const PERSON = { email: 'owner@localhost.example', email_verified: true };
const LOOKS = 2_000;
const HOUR = 3_600;

/** Processor time of one look at a JWT, its signature included. */
async function lookMicroseconds(double: OpenIdDouble, token: string): Promise<number> {
  const { jose } = double;
  const keys = new KeySet(jose, new Clock(), () => Promise.resolve({ keys: [double.publicKey('first')] }));
  const expected = { issuer: double.issuer, audience: AUDIENCE, now: new Date() };
  const look = () => verifyAccessToken(jose, token, keys, expected);
  for (let n = 0; n < LOOKS; n++) await look();
  const before = process.cpuUsage();
  for (let n = 0; n < LOOKS; n++) await look();
  const { user, system } = process.cpuUsage(before);
  return round((user + system) / LOOKS);
}

/** The better of both, each figure by itself. */
function betterTimed(a: TimedTurn | undefined, b: TimedTurn): TimedTurn {
  if (a === undefined) return b;
  return { ...better(a, b), p50: Math.min(a.p50, b.p50), p99: Math.min(a.p99, b.p99) };
}

async function main(): Promise<void> {
  const double = await OpenIdDouble.start();
  const services = await MeasuredServices.start();
  const load = new LoadProcess();
  try {
    const service = await services.replica('credentials', {
      ...UNLIMITED,
      OIDC_ISSUER: double.issuer,
      OIDC_CLIENT_ID: 'conversations',
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_INTROSPECTION: 'on',
      OIDC_ALLOWED_HOSTS: double.host,
    });
    const exp = Math.floor(Date.now() / 1_000) + HOUR;
    const claims = { ...PERSON, aud: AUDIENCE, exp };
    double.opaque.set(OPAQUE, { active: true, token_type: 'Bearer', sub: 'owner', ...claims });
    const jwt = await double.token('owner', claims);
    const cookie = await signInByForm({ url: `http://127.0.0.1:${service.port}` }, services.key);
    const credentials = {
      'API key': { 'x-access-token': services.key },
      JWT: { 'x-access-token': jwt },
      'introspected token': { 'x-access-token': OPAQUE },
      'browser session': { cookie, ...FROM_OWN_PAGE },
    };
    const turn = (headers: Readonly<Record<string, string>>, seconds: number): Promise<TimedTurn> =>
      load.turn(
        { ...service, path: PATH },
        { key: services.key, headers, connections: given.connections, seconds },
      );
    for (const headers of Object.values(credentials)) await turn(headers, WARM_UP_SECONDS);
    const found = new Map<string, TimedTurn>();
    for (let n = 0; n < given.rounds; n++)
      for (const [name, headers] of Object.entries(credentials))
        found.set(name, betterTimed(found.get(name), await turn(headers, given.seconds)));
    const ofKey = found.get('API key')?.cpuMicroseconds ?? NaN;
    const results = [...found].map(([name, { perSecond, cpuMicroseconds, p50, p99 }]) => [
      name,
      {
        perSecond: Math.round(perSecond),
        p50,
        p99,
        cpuMicroseconds: Math.round(cpuMicroseconds),
        ratioToKey: round(cpuMicroseconds / ofKey),
      },
    ]);
    report('credentials', {
      ...given,
      results: Object.fromEntries(results),
      microsecondsOfOneLookAtAJwt: await lookMicroseconds(double, jwt),
      questions: double.introspected.length,
    });
  } finally {
    load.stop();
    await services.stop();
    await double.close();
  }
}

void main();
