import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CryptoKey, JWK, JWTPayload } from 'jose' with { 'resolution-mode': 'import' };

/** A part of a provider, by its path. */
type Part = 'discovery' | 'jwks' | 'token' | 'userinfo';

type Answer = (response: ServerResponse) => void;

const PATHS: Readonly<Record<string, Part>> = {
  '/.well-known/openid-configuration': 'discovery',
  '/jwks': 'jwks',
  '/token': 'token',
  '/userinfo': 'userinfo',
};

/** The event of a logout token. */
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';

/** An OpenID provider that says what a test has it say, right or wrong. Its people sign in by the test itself. */
export class OpenIdDouble {
  readonly clientId = 'agents';
  readonly clientSecret = 'a-client-secret-of-tests';
  /** What the next ID token says, besides what belongs to the protocol. */
  claims: Readonly<Record<string, unknown>> = {};
  /** What the next answer for who asks with an access token says besides the subject. */
  moreClaims: Readonly<Record<string, unknown>> | null = null;
  /** Changes the claims of the next tokens. */
  change: (claims: JWTPayload) => JWTPayload = (claims) => claims;
  /** Signs the next tokens with another key than the one that is published. */
  signsWithOther = false;
  /** Signs the next tokens with the published key, as if that were a secret. */
  signsWithPublicKey = false;
  /** In place of what it says of itself. */
  metadata: Readonly<Record<string, unknown>> = {};
  /** Parts that answer something else. */
  readonly faults = new Map<Part, Answer>();
  /** How often each part was asked. */
  readonly asked = new Map<Part, number>();
  /** The forms that came to the token endpoint, with what authenticates their client. */
  readonly exchanges: { readonly form: URLSearchParams; readonly authorization: string | undefined }[] = [];

  private constructor(
    private readonly server: Server,
    private readonly keys: { readonly own: CryptoKey; readonly other: CryptoKey; readonly jwk: JWK },
  ) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  /** Starts one on loopback. */
  static async start(): Promise<OpenIdDouble> {
    const { exportJWK, generateKeyPair } = await import('jose');
    const own = await generateKeyPair('RS256');
    const other = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OpenIdDouble(server, { own: own.privateKey, other: other.privateKey, jwk });
  }

  /** With its port, for `OIDC_ALLOWED_HOSTS`. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get issuer(): string {
    return `http://${this.host}`;
  }

  /** Forgets what a test had it say. */
  reset(): void {
    this.claims = {};
    this.moreClaims = null;
    this.change = (claims) => claims;
    this.signsWithOther = false;
    this.signsWithPublicKey = false;
    this.metadata = {};
    this.faults.clear();
    this.asked.clear();
    this.exchanges.length = 0;
  }

  /** A token with which it says that somebody signed out. @param header in place of the usual one */
  logoutToken(claims: Readonly<Record<string, unknown>>, header: { kid?: string } = {}): Promise<string> {
    const base = { jti: crypto.randomUUID(), events: { [LOGOUT]: {} } };
    return this.sign({ ...base, ...claims }, { typ: 'logout+jwt', ...header });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const part = PATHS[request.url ?? ''];
    if (part === undefined) return void response.writeHead(404).end();
    this.asked.set(part, (this.asked.get(part) ?? 0) + 1);
    const fault = this.faults.get(part);
    if (fault !== undefined) {
      fault(response);
      return;
    }
    const json = (body: unknown) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (part === 'discovery') json(this.described());
    if (part === 'jwks') json({ keys: [this.keys.jwk] });
    if (part === 'userinfo') json({ sub: this.claims['sub'], ...this.moreClaims });
    if (part === 'token') {
      const { authorization } = request.headers;
      this.exchanges.push({ form: new URLSearchParams(await text(request)), authorization });
      json({ access_token: 'opaque', token_type: 'Bearer', id_token: await this.sign(this.claims, {}) });
    }
  }

  private described(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      ...(this.moreClaims !== null && { userinfo_endpoint: `${issuer}/userinfo` }),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  private async sign(
    claims: Readonly<Record<string, unknown>>,
    header: { typ?: string; kid?: string },
  ): Promise<string> {
    const { SignJWT } = await import('jose');
    const now = Math.floor(Date.now() / 1_000);
    const base = { iss: this.issuer, aud: this.clientId, iat: now, exp: now + 300, auth_time: now };
    const token = new SignJWT(this.change({ ...base, ...claims }));
    if (this.signsWithPublicKey) {
      const secret = new TextEncoder().encode(JSON.stringify(this.keys.jwk));
      return token.setProtectedHeader({ alg: 'HS256', kid: 'own', ...header }).sign(secret);
    }
    return token
      .setProtectedHeader({ alg: 'RS256', kid: 'own', ...header })
      .sign(this.signsWithOther ? this.keys.other : this.keys.own);
  }
}
