import { Clock } from '../../../kernel/common';
import { TokenRefusal } from '../token-claims';
import { verifyAccessToken } from './access-token';
import {
  type CryptoKey,
  type Jose,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  loadJose,
} from './jose';
import { KeySet } from './key-set';

const ISSUER = 'https://id.example.com';
const AUDIENCE = 'https://conversations.example.com';
const NOW = new Date('2030-01-01T00:00:00Z');
const SECONDS = NOW.getTime() / 1_000;

/** What a test changes of a header. */
interface Header extends Omit<Partial<JWTHeaderParameters>, 'typ'> {
  /** Null leaves it out. */
  readonly typ?: string | null;
}

interface Pair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

describe('a JWT access token', () => {
  let jose: Jose;
  let own: Pair;
  let foreign: Pair;
  let keys: KeySet;
  let jwk: JWK;
  beforeAll(async () => {
    jose = await loadJose();
    own = await jose.generateKeyPair('RS256', { extractable: true });
    foreign = await jose.generateKeyPair('RS256', { extractable: true });
    jwk = { ...(await jose.exportJWK(own.publicKey)), kid: 'k' };
    keys = new KeySet(jose, new Clock(), () => Promise.resolve({ keys: [jwk] }));
  });

  const claims = (changes: object = {}): JWTPayload => ({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'ada',
    client_id: 'cli',
    iat: SECONDS - 10,
    exp: SECONDS + 300,
    ...changes,
  });
  const signed = (
    payload: JWTPayload,
    { typ = 'at+jwt', ...header }: Header = {},
    key: CryptoKey | Uint8Array = own.privateKey,
  ): Promise<string> => {
    const whole = { alg: 'RS256' as const, kid: 'k', ...header, ...(typ !== null && { typ }) };
    return new jose.SignJWT(payload).setProtectedHeader(whole).sign(key);
  };
  /** The subject of a token that counts; else why it does not. */
  const verdict = async (token: string): Promise<string> => {
    const found = await verifyAccessToken(jose, token, keys, {
      issuer: ISSUER,
      audience: AUDIENCE,
      now: NOW,
    });
    return found instanceof TokenRefusal ? found.reason : `of ${found.subject}`;
  };
  const of = async (changes: object, header?: Header): Promise<string> =>
    verdict(await signed(claims(changes), header));

  it('counts with its subject, for one of several audiences, too', async () => {
    expect(await of({})).toBe('of ada');
    expect(await of({ aud: ['other', AUDIENCE] })).toBe('of ada');
    expect(await of({}, { typ: 'application/AT+JWT' })).toBe('of ada');
  });

  it('does not count from another issuer, for another audience, or without subject, end or beginning', async () => {
    expect(await of({ iss: `${ISSUER}/` })).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED: iss');
    expect(await of({ aud: 'other' })).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED: aud');
    expect(await of({ aud: undefined })).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED: aud');
    for (const name of ['exp', 'iat'])
      expect(await of({ [name]: undefined })).toBe(`ERR_JWT_CLAIM_VALIDATION_FAILED: ${name}`);
    for (const sub of [undefined, '', 'x'.repeat(256), 7])
      expect(await of({ sub })).toBe('it names no subject');
  });

  it('counts from its beginning to its end, give or take ten seconds', async () => {
    expect(await of({ exp: SECONDS - 9 })).toBe('of ada');
    expect(await of({ exp: SECONDS - 10 })).toBe('ERR_JWT_EXPIRED: exp');
    expect(await of({ nbf: SECONDS + 10 })).toBe('of ada');
    expect(await of({ nbf: SECONDS + 11 })).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED: nbf');
    expect(await of({ iat: SECONDS + 10 })).toBe('of ada');
    expect(await of({ iat: SECONDS + 11 })).toBe('it was issued in the future');
    for (const iat of [-1, 1e300]) expect(await of({ iat })).toBe('it was issued at no time');
    expect(await of({ exp: `${SECONDS + 300}` })).toBe('ERR_JWT_CLAIM_VALIDATION_FAILED: exp');
  });

  it('does not count with another key, changed, without a signature, or signed with the public key as a secret', async () => {
    expect(await verdict(await signed(claims(), {}, foreign.privateKey))).toBe(
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    );
    const [header, , signature] = (await signed(claims())).split('.');
    const changed = jose.base64url.encode(JSON.stringify(claims({ sub: 'eve' })));
    expect(await verdict(`${header}.${changed}.${signature}`)).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
    const none = jose.base64url.encode(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid: 'k' }));
    expect(await verdict(`${none}.${changed}.`)).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
    const pem = new TextEncoder().encode(await jose.exportSPKI(own.publicKey));
    expect(await verdict(await signed(claims(), { alg: 'HS256' }, pem))).toBe('ERR_JOSE_ALG_NOT_ALLOWED');
    expect(await verdict('a.b.c')).toBe('ERR_JWS_INVALID');
  });

  it('is verified with published keys only, whatever keys its header brings or names', async () => {
    const jwkOfForeign = await jose.exportJWK(foreign.publicKey);
    const brought = {
      jwk: jwkOfForeign,
      jku: 'https://evil.example.com/keys',
      x5u: 'https://evil.example.com/cert',
    };
    expect(await verdict(await signed(claims(), brought, foreign.privateKey))).toBe(
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    );
    expect(await verdict(await signed(claims(), { kid: 'other' }))).toBe('ERR_JWKS_NO_MATCHING_KEY');
  });

  it('has the type of an access token, or that of any JWT with claims of an access token', async () => {
    for (const typ of ['JWT', null]) {
      expect(await of({}, { typ })).toBe('of ada');
      expect(await of({ client_id: undefined, scp: ['a'] }, { typ })).toBe('of ada');
      expect(await of({ client_id: undefined }, { typ })).toBe('it is not an access token');
      for (const name of ['nonce', 'at_hash', 'c_hash'])
        expect(await of({ [name]: 'x' }, { typ })).toBe('it is not an access token');
    }
    for (const typ of ['logout+jwt', 'dpop+jwt', 'id_token', ''])
      expect(await of({}, { typ })).toBe('it is not an access token');
  });

  it('does not count where its client would have to prove that it has a key', async () => {
    expect(await of({ cnf: { jkt: 'x' } })).toBe('it is bound to a key of its client');
  });
});
