import { isIP } from 'node:net';
import { z } from 'zod';
import { parseUuid } from '../common';
import { commaList, httpUrl, json, oneOf, optionalText } from './setting-types';

const ROLE_OR_ID = 'must be member, admin, owner or the id of a role of OIDC_ORG_ID';
const role = z
  .string()
  .refine((text) => ['member', 'admin', 'owner'].includes(text) || parseUuid(text) !== null, ROLE_OR_ID);

/** The provider of identities of the installation (docs/sign-in-providers.md#of-the-installation). */
export const oidcSettings = {
  OIDC_ISSUER: httpUrl
    .optional()
    .describe(
      'Issuer of the OpenID provider with which [people sign in](sign-in-providers.md#of-the-installation), exactly as its discovery document has it. Without it there is none.',
    ),
  OIDC_CLIENT_ID: optionalText.describe('Client id of the service at that provider.'),
  OIDC_CLIENT_SECRET: optionalText.describe('Client secret. Without it the service is a public client.'),
  OIDC_NAME: z.string().min(1).max(200).default('Single sign-on').describe('What its button is called.'),
  OIDC_SCOPE: z
    .string()
    .min(1)
    .max(512)
    .default('openid email profile')
    .describe('What the provider is asked for; some tell of groups only with `groups` in it.'),
  OIDC_ORG_ID: z
    .string()
    .refine((text) => parseUuid(text) !== null, 'must be a UUID')
    .optional()
    .describe(
      'The organization that the provider lets people into who are no members. Without it only those come in who have an account.',
    ),
  OIDC_DEFAULT_ROLE: role
    .optional()
    .describe(
      'Role there of who comes in for the first time and is in no group of `OIDC_GROUP_ROLES`. Without it they are refused.',
    ),
  OIDC_GROUP_CLAIM: z
    .string()
    .min(1)
    .max(200)
    .default('groups')
    .describe('Claim that has the groups of a person.'),
  OIDC_GROUP_ROLES: json(z.array(z.object({ group: z.string().min(1), role })).max(100), '[]').describe(
    'Roles of groups, a JSON array of `{group, role}`; the first one of a person counts, at each sign-in.',
  ),
  OIDC_EMAIL_DOMAINS: commaList.describe(
    'Domains, comma-separated, whose mail addresses are taken. Without it those of all.',
  ),
  OIDC_AUTO_PROVISION: oneOf(['on', 'off'])
    .default('on')
    .describe('Whether accounts are made for people who have none; `off` lets in those who have one.'),
  OIDC_AUDIENCE: optionalText.describe(
    'Audience of access tokens of the provider that count as credentials. Without it none do.',
  ),
  OIDC_INTROSPECTION: oneOf(['on', 'off'])
    .default('off')
    .describe('Whether the provider is asked about access tokens that are no JWTs.'),
  OIDC_DNS_SERVERS: commaList
    .refine((servers) => servers.every(isServer), 'must be IP addresses, with :port where it is not 53')
    .describe(
      'Name servers, comma-separated, that are asked whose a [domain](sign-in-providers.md#domains) is. Default: those of the system.',
    ),
  OIDC_ALLOWED_HOSTS: commaList.describe(
    'Hosts (with `:port`), comma-separated, exempt from the public-address and https rules of providers of identities. Without a port, 80 and 443 are meant.',
  ),
};

/** Whether a text is the address of a name server, as Node takes it. */
function isServer(text: string): boolean {
  const [, inBrackets, alone] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return isIP(inBrackets ?? alone ?? text) !== 0;
}

/** What is wrong with these settings together, one line for each problem. */
export function oidcProblems({
  OIDC_ISSUER,
  OIDC_CLIENT_ID,
  OIDC_ORG_ID,
  OIDC_DEFAULT_ROLE,
  OIDC_GROUP_ROLES,
}: {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_ORG_ID?: string | undefined;
  readonly OIDC_DEFAULT_ROLE?: string | undefined;
  readonly OIDC_GROUP_ROLES: readonly unknown[];
}): string[] {
  const givesRoles = OIDC_DEFAULT_ROLE !== undefined || OIDC_GROUP_ROLES.length > 0;
  return [
    ...(OIDC_ISSUER !== undefined && OIDC_CLIENT_ID === undefined
      ? ['OIDC_CLIENT_ID: is required when OIDC_ISSUER is set']
      : []),
    ...(givesRoles && OIDC_ORG_ID === undefined
      ? ['OIDC_ORG_ID: is required when OIDC_DEFAULT_ROLE or OIDC_GROUP_ROLES is set']
      : []),
  ];
}
