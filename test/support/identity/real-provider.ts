import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as Oidc from 'oidc-provider' with { 'resolution-mode': 'import' };
import { loadJose } from '../../../src/accounts/provider-tokens/jwt/jose';
import { CLIENT_ID } from './providers';

/** A client that gets tokens for the service. */
const PROGRAM = 'program';

/** What the provider says of somebody. */
type Person = Readonly<Record<string, unknown>>;

/** `oidc-provider`, a certified implementation, on loopback, at another site than the service. Anybody signs in with any password. */
export class RealProvider {
  readonly clientId = CLIENT_ID;
  readonly clientSecret = 'a-client-secret-of-tests';
  /** By what they enter to sign in, which is their subject. */
  readonly people = new Map<string, Person>();

  private served: Oidc.Provider | undefined;

  private constructor(private readonly server: Server) {}

  /** Listens, so that there is an issuer; people sign in once it {@link serve serves}. */
  static async start(): Promise<RealProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RealProvider(server);
  }

  /** With its port, for `OIDC_ALLOWED_HOSTS`. */
  get host(): string {
    return `localhost:${(this.server.address() as AddressInfo).port}`;
  }

  get issuer(): string {
    return `http://${this.host}`;
  }

  /** Lets people sign in to the service, and has tokens of another client for it. */
  async serve(client: Pick<Oidc.ClientMetadata, 'redirect_uris' | 'backchannel_logout_uri'>): Promise<void> {
    const [{ default: Provider }, { exportJWK, generateKeyPair }] = await Promise.all([
      import('oidc-provider'),
      loadJose(),
    ]);
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: this.clientId,
          client_secret: this.clientSecret,
          backchannel_logout_session_required: true,
          ...client,
        },
        { client_id: PROGRAM, client_secret: 'the secret of a program', redirect_uris: client.redirect_uris },
      ],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'own', alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a key of tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      extraTokenClaims: (_, token) => ('accountId' in token ? this.people.get(token.accountId) : undefined),
      features: {
        backchannelLogout: { enabled: true },
        introspection: { enabled: true },
        revocation: { enabled: true },
      },
      pkce: { required: () => true },
      // Its own one calls nobody on loopback.
      fetch: (url, { dispatcher: _, ...options } = {}) => fetch(url, options),
      findAccount: (_, sub) => {
        const person = this.people.get(sub);
        return person && { accountId: sub, claims: () => ({ sub, ...person }) };
      },
    });
    this.served = provider;
    const handle = provider.callback();
    this.server.on('request', (request, response) => void handle(request, response));
  }

  /** An access token of a program for somebody, as the token endpoint issues them. */
  async token(accountId: string, audience: string, accessTokenFormat: 'jwt' | 'opaque'): Promise<string> {
    const { provider } = this;
    const client = await provider.Client.find(PROGRAM);
    if (client === undefined) throw new Error('There is no such client.');
    const grant = new provider.Grant({ clientId: PROGRAM, accountId });
    grant.addResourceScope(audience, 'use');
    const grantId = await grant.save();
    const gty = 'authorization_code';
    const token = new provider.AccessToken({ client, accountId, grantId, gty, scope: 'use' });
    const jwt = { sign: { alg: 'RS256' as const } };
    token.resourceServer = new provider.ResourceServer(audience, {
      scope: 'use',
      audience,
      accessTokenFormat,
      jwt,
    });
    return token.save();
  }

  /** Revokes an opaque token. */
  async revoke(text: string): Promise<void> {
    await (await this.provider.AccessToken.find(text))?.destroy();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private get provider(): Oidc.Provider {
    if (this.served === undefined) throw new Error('It does not serve yet.');
    return this.served;
  }
}
