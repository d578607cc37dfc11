/**
 * What a request costs by what it is authenticated with: `GET /api/keys/current` with an API key, with a JWT of an identity provider
 * whose keys are known, and with an opaque token that the provider is asked about, of one service in one run. They take turns; the
 * best round counts, because other work on the machine only makes one slower. Each is looked at anew every 300 ms, as production
 * does; what one look at a JWT takes is measured by itself, too. Needs the built service (`npm run build`).
 *
 *   npm run bench -- credentials [--seconds 3] [--rounds 5] [--connections 16]
 */
import { verifyAccessToken } from '../src/accounts/provider-tokens/jwt/access-token';
import { KeySet } from '../src/accounts/provider-tokens/jwt/key-set';
import { Clock } from '../src/kernel/common';
import { OpenIdDouble } from '../test/support/identity/openid-double';
import { LoadProcess } from './frame/load-process';
import { better, MeasuredServices, type Turn } from './measured-services';
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
    const credentials = { 'API key': services.key, JWT: jwt, 'introspected token': OPAQUE };
    const turn = (key: string, seconds: number): Promise<Turn> =>
      load.turn({ ...service, path: PATH }, { key, connections: given.connections, seconds });
    for (const key of Object.values(credentials)) await turn(key, WARM_UP_SECONDS);
    const found = new Map<string, Turn>();
    for (let n = 0; n < given.rounds; n++)
      for (const [name, key] of Object.entries(credentials))
        found.set(name, better(found.get(name), await turn(key, given.seconds)));
    const ofKey = found.get('API key')?.cpuMicroseconds ?? NaN;
    const results = [...found].map(([name, { perSecond, cpuMicroseconds }]) => [
      name,
      {
        perSecond: Math.round(perSecond),
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
