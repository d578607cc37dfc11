import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientMetadata } from 'oidc-provider' with { 'resolution-mode': 'import' };

/** What the provider says of somebody. */
type Person = Readonly<Record<string, unknown>>;

/** `oidc-provider`, a certified implementation, on loopback, at another site than the service. Anybody signs in with any password. */
export class RealProvider {
  readonly clientId = 'agents';
  readonly clientSecret = 'a-client-secret-of-tests';
  /** By what they enter to sign in, which is their subject. */
  readonly people = new Map<string, Person>();

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

  /** Lets people sign in to a client. */
  async serve(client: Pick<ClientMetadata, 'redirect_uris' | 'backchannel_logout_uri'>): Promise<void> {
    const [{ default: Provider }, { exportJWK, generateKeyPair }] = await Promise.all([
      import('oidc-provider'),
      import('jose'),
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
      ],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'own', alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a key of tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      features: { backchannelLogout: { enabled: true } },
      pkce: { required: () => true },
      // Its own one calls nobody on loopback.
      fetch: (url, { dispatcher: _, ...options } = {}) => fetch(url, options),
      findAccount: (_, sub) => {
        const person = this.people.get(sub);
        return person && { accountId: sub, claims: () => ({ sub, ...person }) };
      },
    });
    const handle = provider.callback();
    this.server.on('request', (request, response) => void handle(request, response));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
