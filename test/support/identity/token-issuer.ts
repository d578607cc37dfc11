import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type CryptoKey,
  type Jose,
  type JWK,
  loadJose,
} from '../../../src/accounts/provider-tokens/jwt/jose';

/** Answers in place of the issuer. */
export type Responder = (request: IncomingMessage, response: ServerResponse) => void;

/** What a test changes of the header of a token. */
export interface TokenHeader {
  readonly alg?: string;
  readonly kid?: string;
  readonly typ?: string;
  readonly [name: string]: unknown;
}

/** Sends to another address of the same host. */
export const redirect: Responder = (_, response) =>
  void response.writeHead(302, { Location: '/elsewhere' }).end();

/** Answers as long as anybody reads. */
export const flood: Responder = (_, response) => {
  const more = (): void => {
    let goesOn = true;
    while (goesOn) goesOn = response.write(' '.repeat(65_536));
  };
  response.writeHead(200, { 'Content-Type': 'application/json' }).on('drain', more);
  more();
};

/** A provider of identities that issues whatever a test wants, and answers as it is told. */
export class TokenIssuer {
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  /** The tokens that it was asked about. */
  readonly introspected: string[] = [];
  /** Answers in place of its own, by path. */
  readonly answers = new Map<string, Responder>();
  /** What it says of opaque tokens; others are not active. */
  readonly opaque = new Map<string, unknown>();
  private readonly keys = new Map<string, { readonly privateKey: CryptoKey; readonly jwk: JWK }>();
  private published: readonly string[] = [];

  private constructor(
    readonly jose: Jose,
    private readonly server: Server,
  ) {}

  static async start(): Promise<TokenIssuer> {
    const server = createServer();
    const issuer = new TokenIssuer(await loadJose(), server);
    server.on('request', (request, response) => void issuer.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await issuer.publish('first');
    return issuer;
  }

  /** Where it listens: host and port. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The issuer of its tokens. */
  get url(): string {
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

  /**
   * An access token of somebody, for five minutes.
   * @param claims besides `iss`, `sub`, `iat` and `exp`, or in their place; undefined leaves one out
   * @param key another one to sign with
   */
  token(
    sub: string,
    claims: Readonly<Record<string, unknown>>,
    header: TokenHeader = {},
    key?: CryptoKey | Uint8Array,
  ): Promise<string> {
    const { alg = 'ES256', kid = this.published.at(-1) ?? '', typ = 'at+jwt', ...others } = header;
    const now = Math.floor(Date.now() / 1_000);
    const payload = { iss: this.url, sub, client_id: 'cli', iat: now, exp: now + 300, ...claims };
    return new this.jose.SignJWT(payload)
      .setProtectedHeader({ alg, kid, typ, ...others })
      .sign(key ?? this.key(kid).privateKey);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
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

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    this.asked.push(path);
    const body = new URLSearchParams(await text(request));
    if (path === '/introspect') this.introspected.push(body.get('token') ?? '');
    const answer = this.answers.get(path);
    if (answer !== undefined) {
      answer(request, response);
      return;
    }
    const found = this.documents(path, body);
    response
      .writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(found ?? {}));
  }

  private documents(path: string, body: URLSearchParams): unknown {
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          issuer: this.url,
          authorization_endpoint: `${this.url}/authorize`,
          token_endpoint: `${this.url}/token`,
          jwks_uri: `${this.url}/keys`,
          introspection_endpoint: `${this.url}/introspect`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        };
      case '/keys':
        return { keys: this.published.map((kid) => this.publicKey(kid)) };
      case '/introspect':
        return this.opaque.get(body.get('token') ?? '') ?? { active: false };
      default:
        return undefined;
    }
  }
}
