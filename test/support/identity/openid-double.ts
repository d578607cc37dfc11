import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type CryptoKey,
  type Jose,
  type JWK,
  type JWTPayload,
  loadJose,
} from '../../../src/accounts/provider-tokens/jwt/jose';
import { CLIENT_ID } from './providers';

/** A part of a provider, by its path. */
type Part = 'discovery' | 'jwks' | 'token' | 'userinfo' | 'introspect';

/** Answers in place of a part. */
export type Fault = (response: ServerResponse) => void;

type Claims = Readonly<Record<string, unknown>>;

/** What a test changes of the header of a token. */
export interface TokenHeader {
  readonly alg?: string;
  readonly kid?: string;
  readonly typ?: string;
  readonly [name: string]: unknown;
}

const PATHS: Readonly<Record<string, Part>> = {
  '/.well-known/openid-configuration': 'discovery',
  '/jwks': 'jwks',
  '/token': 'token',
  '/userinfo': 'userinfo',
  '/introspect': 'introspect',
};

/** The event of a logout token. */
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';

/** An OpenID provider that says what a test has it say, right or wrong. Its people sign in by the test itself. */
export class OpenIdDouble {
  readonly clientId = CLIENT_ID;
  readonly clientSecret = 'a-client-secret-of-tests';
  /** What the next ID token says, besides what belongs to the protocol. */
  claims: Claims = {};
  /** What the next answer for who asks with an access token says besides the subject. */
  moreClaims: Claims | null = null;
  /** Changes the claims of the next ID and logout tokens. */
  change: (claims: JWTPayload) => JWTPayload = (claims) => claims;
  /** Signs the next ID and logout tokens with another key than the one that is published. */
  signsWithOther = false;
  /** Signs the next tokens with the published key, as if that were a secret. */
  signsWithPublicKey = false;
  /** In place of what it says of itself. */
  metadata: Claims = {};
  /** What it says of opaque tokens; others are not active. */
  readonly opaque = new Map<string, unknown>();
  /** Parts that answer something else. */
  readonly faults = new Map<Part, Fault>();
  /** What was asked, one after the other: parts, and paths that are none. */
  readonly asked: string[] = [];
  /** The tokens that it was asked about. */
  readonly introspected: string[] = [];
  /** The forms that came to the token endpoint, with what authenticates their client. */
  readonly exchanges: { readonly form: URLSearchParams; readonly authorization: string | undefined }[] = [];
  private readonly keys = new Map<string, { readonly privateKey: CryptoKey; readonly jwk: JWK }>();
  private published: readonly string[] = [];

  private constructor(
    readonly jose: Jose,
    private readonly server: Server,
  ) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  /** Starts one on loopback. */
  static async start(): Promise<OpenIdDouble> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const double = new OpenIdDouble(await loadJose(), server);
    await double.publish('first', 'other');
    await double.publish('first');
    return double;
  }

  /** With its port, for `OIDC_ALLOWED_HOSTS`. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get issuer(): string {
    return `http://${this.host}`;
  }

  /** Publishes these keys, and no others; makes those that are new. */
  async publish(...kids: string[]): Promise<void> {
    for (const kid of kids) if (!this.keys.has(kid)) this.keys.set(kid, await this.newKey(kid));
    this.published = kids;
  }

  /** The public half of a key. */
  publicKey(kid: string): JWK {
    return this.key(kid).jwk;
  }

  /** Forgets what a test had it say, and what it was asked. */
  reset(): void {
    this.claims = {};
    this.moreClaims = null;
    this.change = (claims) => claims;
    this.signsWithOther = false;
    this.signsWithPublicKey = false;
    this.metadata = {};
    this.opaque.clear();
    this.faults.clear();
    for (const list of [this.asked, this.introspected, this.exchanges]) list.length = 0;
  }

  /** How often a part was asked. */
  timesAsked(part: Part): number {
    return this.asked.filter((one) => one === part).length;
  }

  /**
   * An access token of somebody, for five minutes.
   * @param claims besides `iss`, `sub`, `iat` and `exp`, or in their place; undefined leaves one out
   * @param key another one to sign with
   */
  token(
    sub: string,
    claims: Claims,
    header: TokenHeader = {},
    key?: CryptoKey | Uint8Array,
  ): Promise<string> {
    return this.sign(this.inTime({ sub, client_id: 'cli', ...claims }), { typ: 'at+jwt', ...header }, key);
  }

  /** An opaque access token, which it calls active for five minutes. @param claims besides, or in place of the usual ones */
  opaqueToken(claims: Claims): string {
    const token = crypto.randomUUID();
    const iat = Math.floor(Date.now() / 1_000);
    this.opaque.set(token, { active: true, token_type: 'Bearer', iat, exp: iat + 300, ...claims });
    return token;
  }

  /** A token with which it says that somebody signed out. @param header in place of the usual one */
  logoutToken(claims: Claims, header: TokenHeader = {}): Promise<string> {
    const base = { jti: crypto.randomUUID(), events: { [LOGOUT]: {} } };
    return this.forClient({ ...base, ...claims }, { typ: 'logout+jwt', ...header });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const part = PATHS[request.url ?? ''];
    this.asked.push(part ?? request.url ?? '');
    const form = new URLSearchParams(await text(request));
    const { authorization } = request.headers;
    if (part === 'introspect') this.introspected.push(form.get('token') ?? '');
    const fault = part && this.faults.get(part);
    if (fault !== undefined) {
      fault(response);
      return;
    }
    if (part === 'token') this.exchanges.push({ form, authorization });
    if (part === undefined) response.writeHead(404).end();
    else
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(await this.document(part, form)));
  }

  private async document(part: Part, form: URLSearchParams): Promise<unknown> {
    switch (part) {
      case 'discovery':
        return this.described();
      case 'jwks':
        return { keys: this.published.map((kid) => this.publicKey(kid)) };
      case 'token':
        return {
          access_token: 'opaque',
          token_type: 'Bearer',
          id_token: await this.forClient(this.claims, {}),
        };
      case 'userinfo':
        return { sub: this.claims['sub'], ...this.moreClaims };
      case 'introspect':
        return this.opaque.get(form.get('token') ?? '') ?? { active: false };
    }
  }

  private described(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      introspection_endpoint: `${issuer}/introspect`,
      ...(this.moreClaims !== null && { userinfo_endpoint: `${issuer}/userinfo` }),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  /** An ID or a logout token. */
  private forClient(given: Claims, header: TokenHeader): Promise<string> {
    const times = this.inTime({ aud: this.clientId, ...given });
    const claims = this.change({ auth_time: times.iat, ...times });
    if (this.signsWithPublicKey) {
      const secret = new TextEncoder().encode(JSON.stringify(this.publicKey('first')));
      return this.sign(claims, { alg: 'HS256', ...header }, secret);
    }
    return this.sign(claims, header, this.signsWithOther ? this.key('other').privateKey : undefined);
  }

  private inTime(claims: Claims): JWTPayload {
    const now = Math.floor(Date.now() / 1_000);
    return { iss: this.issuer, iat: now, exp: now + 300, ...claims };
  }

  private sign(claims: JWTPayload, header: TokenHeader, key?: CryptoKey | Uint8Array): Promise<string> {
    const { alg = 'ES256', kid = this.published.at(-1) ?? '', ...others } = header;
    // With an id that is made up, too.
    const { privateKey } = this.keys.get(kid) ?? this.key('first');
    return new this.jose.SignJWT(claims).setProtectedHeader({ alg, kid, ...others }).sign(key ?? privateKey);
  }

  private key(kid: string) {
    const key = this.keys.get(kid);
    if (key === undefined) throw new Error(`There is no key ${kid}.`);
    return key;
  }

  private async newKey(kid: string): Promise<{ privateKey: CryptoKey; jwk: JWK }> {
    const { privateKey, publicKey } = await this.jose.generateKeyPair('ES256', { extractable: true });
    return { privateKey, jwk: { ...(await this.jose.exportJWK(publicKey)), kid, use: 'sig', alg: 'ES256' } };
  }
}
