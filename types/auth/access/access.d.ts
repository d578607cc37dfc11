import type { Permission } from '../identity/permissions';
/** Who may call a route. */
export type RouteAccess = {
    readonly kind: 'public';
} | {
    readonly kind: 'sandbox';
} | {
    readonly kind: 'service';
} | {
    readonly kind: 'user';
    readonly org: OrgSource;
    readonly permission: Permission | null;
    readonly unknownOrgStatus: 400 | 403;
    /** The path parameter of what a ticket in the query may open; null where none may. */
    readonly ticketFor: string | null;
};
/**
 * Where a route's organization comes from (docs/contract.md#effective-organization): its `{org_id}`; the
 * caller's effective one; the effective one with `org_id` in the query as a further selector; or none,
 * because the path names a resource whose own organization the service checks.
 */
export type OrgSource = 'path' | 'effective' | 'effective-or-query' | 'none';
export interface AccessOptions {
    readonly org?: OrgSource;
    readonly permission?: Permission;
    /** Invitations answer 400 for an organization that does not exist (docs/contract.md#invitations). */
    readonly unknownOrgStatus?: 400;
    /** Lets a ticket in the query stand for a key; names the path parameter of what it opens. */
    readonly ticketFor?: string;
}
/** Metadata key of {@link RouteAccess}. */
export declare const ROUTE_ACCESS = "ocs:access";
/** Names of the security schemes in the OpenAPI document. */
export declare const SECURITY_SCHEMES: {
    readonly user: "X-Access-Token";
    readonly sandbox: "X-Session-API-Key";
    readonly service: "X-Service-API-Key";
};
/**
 * Lets holders of a key call the route, in an organization and with a permission where named.
 * The OpenAPI document shows what is declared here.
 */
export declare function Access(options?: AccessOptions): MethodDecorator & ClassDecorator;
/** Lets anyone call the route, without a credential. */
export declare function Public(): MethodDecorator & ClassDecorator;
/** Lets agent servers call the route with their sandbox's session key in `X-Session-API-Key`. */
export declare function SandboxAccess(): MethodDecorator & ClassDecorator;
/** Lets another service call the route, with `SERVICE_API_KEY` in `X-Service-API-Key`. */
export declare function ServiceAccess(): MethodDecorator & ClassDecorator;
