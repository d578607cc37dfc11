import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as Oidc from 'oidc-provider' with { 'resolution-mode': 'import' };
import { loadJose } from '../../../src/accounts/provider-tokens/jwt/jose';

/** As whose client the service asks about tokens. */
export const SERVICE_CLIENT = { id: 'conversations', secret: 'the secret of the service' };

/** The provider of the package `oidc-provider`, which is certified for OpenID Connect. */
export class CertifiedProvider {
  private constructor(
    private readonly server: Server,
    private readonly provider: Oidc.Provider,
    /** What tokens say of people, by their subjects, besides what the protocol says. */
    readonly people: Map<string, Readonly<Record<string, unknown>>>,
  ) {}

  static async start(): Promise<CertifiedProvider> {
    const [library, jose] = await Promise.all([import('oidc-provider'), loadJose()]);
    const people = new Map<string, Readonly<Record<string, unknown>>>();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { privateKey } = await jose.generateKeyPair('RS256', { extractable: true });
    const client = { redirect_uris: ['http://127.0.0.1/callback'], response_types: ['code' as const] };
    const provider = new library.Provider(`http://127.0.0.1:${port}`, {
      clients: [
        { ...client, client_id: SERVICE_CLIENT.id, client_secret: SERVICE_CLIENT.secret },
        { ...client, client_id: 'cli', client_secret: 'the secret of a program' },
      ],
      jwks: { keys: [{ ...(await jose.exportJWK(privateKey)), kid: 'rsa', use: 'sig', alg: 'RS256' }] },
      extraTokenClaims: (_, token) => ('accountId' in token ? people.get(token.accountId) : undefined),
      features: {
        devInteractions: { enabled: false },
        introspection: { enabled: true },
        resourceIndicators: { enabled: true },
        revocation: { enabled: true },
      },
    });
    const answer = provider.callback();
    server.on('request', (request, response) => void answer(request, response));
    return new CertifiedProvider(server, provider, people);
  }

  get issuer(): string {
    return this.provider.issuer;
  }

  get host(): string {
    return new URL(this.issuer).host;
  }

  /** An access token of a program for somebody, as its token endpoint issues them. */
  async token(accountId: string, audience: string, format: 'jwt' | 'opaque'): Promise<string> {
    const { provider } = this;
    const client = await provider.Client.find('cli');
    if (client === undefined) throw new Error('There is no such client.');
    const grant = new provider.Grant({ clientId: client.clientId, accountId });
    grant.addResourceScope(audience, 'use');
    const grantId = await grant.save();
    const gty = 'authorization_code';
    const token = new provider.AccessToken({ client, accountId, grantId, gty, scope: 'use' });
    token.resourceServer = new provider.ResourceServer(audience, {
      scope: 'use',
      audience,
      accessTokenFormat: format,
      jwt: { sign: { alg: 'RS256' } },
    });
    return token.save();
  }

  /** Revokes an opaque token. */
  async revoke(text: string): Promise<void> {
    await (await this.provider.AccessToken.find(text))?.destroy();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
