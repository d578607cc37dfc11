import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiHeader, ApiSecurity } from '@nestjs/swagger';
import type { Permission } from '../identity/permissions';

/** Who may call a route. */
export type RouteAccess =
  | { readonly kind: 'public' }
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'service' }
  | { readonly kind: 'directory' }
  | {
      readonly kind: 'user';
      readonly org: OrgSource;
      readonly permission: Permission | null;
      readonly scope: RouteScope;
      readonly unknownOrgStatus: 400 | 403;
      /** The path parameter of what a ticket in the query may open; null where none may. */
      readonly ticketFor: string | null;
    };

/**
 * What a key with scopes has to be able to do for a route, one of these permissions: the one that the route requires of roles;
 * where it requires none, those that it names for such keys, and for roles of an organization's own. `any` is for what
 * everybody may; where nothing is named, no key with scopes can do it (docs/contract.md#keys-that-can-do-less).
 */
export type RouteScope = readonly Permission[] | 'any';

/**
 * Where a route's organization comes from (docs/contract.md#effective-organization): its `{org_id}`; the
 * caller's effective one; the effective one with `org_id` in the query as a further selector; or none,
 * because the path names a resource whose own organization the service checks.
 */
export type OrgSource = 'path' | 'effective' | 'effective-or-query' | 'none';

type AccessOptions = OrgAccessOptions & {
  /** Invitations answer 400 for an organization that does not exist (docs/contract.md#invitations). */
  readonly unknownOrgStatus?: 400;
  /** Accepts a ticket in the query instead of a key; names the path parameter with its subject. */
  readonly ticketFor?: string;
};

/** Of routes that read a conversation: its creator may, and who may see those of the organization. */
export const READING_SCOPES = ['use_conversations', 'view_org_conversations'] as const;

type WantedScope = Permission | RouteScope;

/** Permissions apply within an organization, so a route that needs one declares where the organization comes from. */
type OrgAccessOptions =
  | { readonly org?: 'none'; readonly permission?: never; readonly scope?: WantedScope }
  | { readonly org: Exclude<OrgSource, 'none'>; readonly permission?: never; readonly scope?: WantedScope }
  | { readonly org: Exclude<OrgSource, 'none'>; readonly permission: Permission; readonly scope?: never };

/** Metadata key of {@link RouteAccess}. */
export const ROUTE_ACCESS = 'ocs:access';

/** Names of the security schemes in the OpenAPI document. */
export const SECURITY_SCHEMES = {
  user: 'X-Access-Token',
  sandbox: 'X-Session-API-Key',
  service: 'X-Service-API-Key',
} as const;

/**
 * Lets holders of a key call the route, in an organization and with a permission where named.
 * The OpenAPI document shows what is declared here.
 */
export function Access(options: AccessOptions = {}): MethodDecorator & ClassDecorator {
  const access: RouteAccess = {
    kind: 'user',
    org: options.org ?? 'none',
    permission: options.permission ?? null,
    scope: scopeOf(options.permission ?? options.scope ?? []),
    unknownOrgStatus: options.unknownOrgStatus ?? 403,
    ticketFor: options.ticketFor ?? null,
  };
  return applyDecorators(
    SetMetadata(ROUTE_ACCESS, access),
    ApiSecurity(SECURITY_SCHEMES.user),
    ApiHeader({
      name: 'X-Org-Id',
      required: false,
      schema: {
        anyOf: [
          { type: 'string', format: 'uuid' },
          { type: 'string', maxLength: 0 },
        ],
        examples: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'],
      },
      description:
        access.org === 'path'
          ? 'A guard only: absent, empty or equal to the organization of the path.'
          : 'The organization to act in; absent or empty for the current one.',
    }),
    ApiExtension('x-permission', access.permission),
    ApiExtension('x-scope', access.scope),
    ApiExtension('x-organization', access.org),
  );
}

function scopeOf(wanted: WantedScope): RouteScope {
  if (wanted === 'any') return wanted;
  return typeof wanted === 'string' ? [wanted] : wanted;
}

/** Lets anyone call the route, without a credential. */
export function Public(): MethodDecorator & ClassDecorator {
  return SetMetadata(ROUTE_ACCESS, { kind: 'public' } satisfies RouteAccess);
}

/** Lets agent servers call the route with their sandbox's session key in `X-Session-API-Key`. */
export function SandboxAccess(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    SetMetadata(ROUTE_ACCESS, { kind: 'sandbox' } satisfies RouteAccess),
    ApiSecurity(SECURITY_SCHEMES.sandbox),
  );
}

/** Lets another service call the route, with `SERVICE_API_KEY` in `X-Service-API-Key`. */
export function ServiceAccess(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    SetMetadata(ROUTE_ACCESS, { kind: 'service' } satisfies RouteAccess),
    ApiSecurity(SECURITY_SCHEMES.service),
  );
}

/** Lets the directory of an organization call the route, with its token as `Authorization: Bearer` (docs/scim.md). */
export function DirectoryAccess(): MethodDecorator & ClassDecorator {
  return SetMetadata(ROUTE_ACCESS, { kind: 'directory' } satisfies RouteAccess);
}
