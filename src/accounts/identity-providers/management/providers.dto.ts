import { OrgPath } from '../../orgs';
import { hiddenProblem, parseUuid } from '../../../kernel/common';
import { parseRole } from '../../../kernel/auth';
import { boolean, dateTime, Field, list, model, string, uuid } from '../../../kernel/validation';
import {
  MAX_CLIENT_SECRET,
  MAX_GROUP,
  MAX_GROUP_ROLES,
  MAX_PROVIDER_NAME,
  MAX_PROVIDER_TEXT,
} from '../record/limits';

const ID = '1d7e3a52-6c0b-4f8e-9a11-2b5d8c4e7f60';
const TIME = '2026-11-21T09:30:00.000Z';
const GROUPS = [{ group: 'platform-admins', role: 'admin' }];
const SERVICE = 'https://agents.example.com/login/oidc';

function roleProblem(text: string): string | null {
  return parseRole(text) === null && parseUuid(text) === null
    ? 'must be member, admin, owner or the id of a role of the organization'
    : null;
}

function scopeProblem(text: string): string | null {
  return text.split(' ').includes('openid') ? null : 'must have openid among the words that spaces separate';
}

const providerName = () => string({ trim: true, minLength: 1, maxLength: MAX_PROVIDER_NAME });
const providerText = () => string({ trim: true, minLength: 1, maxLength: MAX_PROVIDER_TEXT });
const secret = () => string({ minLength: 1, maxLength: MAX_CLIENT_SECRET });
const newSecret = () => string({ minLength: 1, maxLength: MAX_CLIENT_SECRET, rule: hiddenProblem });
const scope = () => string({ trim: true, maxLength: MAX_PROVIDER_TEXT, rule: scopeProblem });
const role = () => string({ maxLength: 36, rule: roleProblem });
const claim = () => string({ trim: true, minLength: 1, maxLength: MAX_GROUP });
const groupRoles = () =>
  list(
    model(() => GroupRoleField),
    { max: MAX_GROUP_ROLES },
  );

const NAME = 'What people see on the button.';
const CLIENT_ID = 'Client id of the service there.';
const SECRET = 'Client secret, kept encrypted and never answered; null for a public client.';
const SCOPE = 'What the provider is asked for; some tell of groups only with `groups` in it.';
const DEFAULT_ROLE =
  'Role of who comes in for the first time and is in no group with one: member, admin, owner or the id of a role of the organization. Null lets none of them in.';
const CLAIM = 'Claim with the groups of a person; with dots, below others, as in `realm_access.roles`.';
const GROUP_ROLES =
  'Roles of groups. The first one of a person counts, at each sign-in; a role that stands here is taken from who is in none.';
const AUDIENCE = 'What access tokens have to be for to count as credentials; null where none do.';
const INTROSPECTION = 'Whether the provider is asked about access tokens that are no JWTs.';

/** The role of a group. */
export class GroupRoleField {
  @Field(string({ minLength: 1, maxLength: MAX_GROUP }), {
    description: 'The group, as the provider writes it.',
    example: 'platform-admins',
  })
  group!: string;

  @Field(role(), {
    description: 'member, admin, owner, or the id of a role of the organization.',
    example: 'admin',
  })
  role!: string;
}

/** Path of operations on one provider. */
export class ProviderPath extends OrgPath {
  @Field(string(), {
    description: 'Id of the provider; what is no id of one is a 404.',
    example: ID,
    exampleFrom: {
      get: '/api/organizations/{org_id}/identity-providers',
      list: 'items',
      value: 'id',
      none: 'The organization has no provider: add one with POST.',
    },
  })
  provider_id!: string;
}

/** Body of `POST …/identity-providers`. */
export class ProviderCreate {
  @Field(providerName(), { description: NAME, example: 'Acme sign-in' })
  name!: string;

  @Field(providerText(), {
    description:
      'The issuer, letter by letter as its discovery document has it. Another one is another provider: it cannot be changed.',
    example: 'https://sign-in.example.com',
  })
  issuer!: string;

  @Field(providerText(), { description: CLIENT_ID, example: 'agents' })
  client_id!: string;

  @Field(newSecret(), { nullable: true, description: SECRET, example: 'a-client-secret' })
  client_secret: string | null = null;

  @Field(scope(), { description: SCOPE, example: 'openid email profile' })
  scope = 'openid email profile';

  @Field(role(), { nullable: true, description: DEFAULT_ROLE, example: 'member' })
  default_role: string | null = null;

  @Field(claim(), { description: CLAIM, example: 'groups' })
  group_claim = 'groups';

  @Field(groupRoles(), { description: GROUP_ROLES, example: GROUPS })
  group_roles: GroupRoleField[] = [];

  @Field(providerText(), { nullable: true, description: AUDIENCE, example: null })
  audience: string | null = null;

  @Field(boolean(), { description: INTROSPECTION, example: false })
  introspection = false;
}

/** Body of `PATCH …/identity-providers/{provider_id}`; what is absent stays. */
export class ProviderUpdate {
  @Field(providerName(), { optional: true, description: NAME, example: 'Acme sign-in' })
  name?: string;

  @Field(providerText(), { optional: true, description: CLIENT_ID, example: 'agents' })
  client_id?: string;

  @Field(secret(), {
    optional: true,
    nullable: true,
    description: `${SECRET} \`**********\` keeps the one that there is.`,
  })
  client_secret?: string | null;

  @Field(scope(), { optional: true, description: SCOPE, example: 'openid email profile groups' })
  scope?: string;

  @Field(role(), { optional: true, nullable: true, description: DEFAULT_ROLE, example: null })
  default_role?: string | null;

  @Field(claim(), { optional: true, description: CLAIM, example: 'groups' })
  group_claim?: string;

  @Field(groupRoles(), { optional: true, description: GROUP_ROLES, example: GROUPS })
  group_roles?: GroupRoleField[];

  @Field(providerText(), { optional: true, nullable: true, description: AUDIENCE })
  audience?: string | null;

  @Field(boolean(), { optional: true, description: INTROSPECTION })
  introspection?: boolean;

  @Field(boolean(), {
    optional: true,
    description:
      'Whether people are let into the organization by this provider alone; only who signed in with it can turn it on.',
  })
  exclusive?: boolean;
}

/** A provider, without its secret. */
export class ProviderResponse {
  @Field(uuid(), { description: 'Its id.', example: ID })
  id!: string;

  @Field(string(), { description: NAME, example: 'Acme sign-in' })
  name!: string;

  @Field(string(), { description: 'The issuer.', example: 'https://sign-in.example.com' })
  issuer!: string;

  @Field(string(), { description: CLIENT_ID, example: 'agents' })
  client_id!: string;

  @Field(boolean(), { description: 'Whether there is a client secret.', example: true })
  has_client_secret!: boolean;

  @Field(string(), { description: SCOPE, example: 'openid email profile' })
  scope!: string;

  @Field(string(), { nullable: true, description: DEFAULT_ROLE, example: 'member' })
  default_role!: string | null;

  @Field(string(), { description: CLAIM, example: 'groups' })
  group_claim!: string;

  @Field(list(model(() => GroupRoleField)), { description: GROUP_ROLES, example: GROUPS })
  group_roles!: GroupRoleField[];

  @Field(string(), { nullable: true, description: AUDIENCE, example: null })
  audience!: string | null;

  @Field(boolean(), { description: INTROSPECTION, example: false })
  introspection!: boolean;

  @Field(boolean(), {
    description: 'Whether people are let into the organization by this provider alone.',
    example: false,
  })
  exclusive!: boolean;

  @Field(string(), {
    description: 'The address that the provider has to send browsers back to.',
    example: `${SERVICE}/${ID}/callback`,
  })
  redirect_uri!: string;

  @Field(string(), {
    description: 'Where the provider may say that somebody signed out there.',
    example: `${SERVICE}/${ID}/backchannel-logout`,
  })
  backchannel_logout_uri!: string;

  @Field(dateTime(), { description: 'When it was added.', example: TIME })
  created_at!: string;

  @Field(dateTime(), { description: 'When it was changed last.', example: TIME })
  updated_at!: string;
}

/** Response of `GET …/identity-providers`. */
export class ProviderList {
  @Field(list(model(() => ProviderResponse)), { description: 'The providers, the oldest first.' })
  items!: ProviderResponse[];
}

/** Response of `POST …/identity-providers/{provider_id}/test`. */
export class ProviderTest {
  @Field(boolean(), { description: 'Whether people can be sent there.', example: true })
  works!: boolean;

  @Field(string(), {
    nullable: true,
    description: 'What is wrong, in one sentence; null for nothing.',
    example: null,
  })
  problem!: string | null;
}
