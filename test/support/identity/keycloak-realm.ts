/** As whose client the service signs people in. */
export const SERVICE_CLIENT = { id: 'conversations', secret: 'the-secret-of-the-service' };

/** A public client whose tokens are for the service. */
export const PROGRAM = 'program';

/** What tokens for the service have in `aud`. */
export const AUDIENCE = 'urn:conversations';

/** Everybody's. */
export const PASSWORD = 'a password of tests';

/** What a user of a realm is given. */
export interface RealmUser {
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly groups: readonly string[];
}

interface RealmFields {
  readonly name: string;
  readonly redirectUri: string;
  readonly backchannelLogoutUri: string;
  readonly groups: readonly string[];
  readonly users: readonly RealmUser[];
}

/** A mapper, into tokens of every kind. */
const mapper = (name: string, protocolMapper: string, config: Readonly<Record<string, string>>) => ({
  name,
  protocol: 'openid-connect',
  protocolMapper,
  config: {
    'access.token.claim': 'true',
    'id.token.claim': 'true',
    'introspection.token.claim': 'true',
    ...config,
  },
});

const GROUPS = mapper('groups', 'oidc-group-membership-mapper', {
  'claim.name': 'groups',
  'full.path': 'false',
});
const FOR_SERVICE = mapper('audience', 'oidc-audience-mapper', {
  'included.custom.audience': AUDIENCE,
  'id.token.claim': 'false',
});
/** Keycloak says of a token that it is not active where the client that asks is not in its audience. */
const FOR_CLIENT = mapper('client', 'oidc-audience-mapper', {
  'included.client.audience': SERVICE_CLIENT.id,
  'id.token.claim': 'false',
});

/** A realm as Keycloak imports it, set up as docs/sign-in-providers.md says. */
export function realm({ name, redirectUri, backchannelLogoutUri, groups, users }: RealmFields): object {
  return {
    realm: name,
    enabled: true,
    groups: groups.map((group) => ({ name: group })),
    users: users.map((user) => ({
      ...user,
      enabled: true,
      firstName: user.username,
      lastName: 'Example',
      credentials: [{ type: 'password', value: PASSWORD }],
    })),
    clients: [
      {
        clientId: SERVICE_CLIENT.id,
        secret: SERVICE_CLIENT.secret,
        redirectUris: [redirectUri],
        attributes: {
          'pkce.code.challenge.method': 'S256',
          'backchannel.logout.url': backchannelLogoutUri,
          'backchannel.logout.session.required': 'true',
        },
        protocolMappers: [GROUPS],
      },
      {
        clientId: PROGRAM,
        publicClient: true,
        directAccessGrantsEnabled: true,
        protocolMappers: [GROUPS, FOR_SERVICE, FOR_CLIENT],
      },
    ],
  };
}
