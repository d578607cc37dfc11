import type { Caller, OrgContext, SandboxCaller } from '../identity/principal';
/** The authenticated caller of a request, and the organization it acts in. */
export interface RequestIdentity {
    readonly caller?: Caller;
    readonly sandbox?: SandboxCaller;
    readonly org?: OrgContext;
}
/** Sets the identity of a request, for the parameters of its handler. */
export declare function setIdentity(request: object, identity: RequestIdentity): void;
/** The identity of a request; empty before the guards have run. */
export declare function requestIdentity(request: object): RequestIdentity;
/** Handler parameter: the {@link Caller}. */
export declare const CurrentCaller: (...dataOrPipes: unknown[]) => ParameterDecorator;
/** Handler parameter: the {@link OrgContext} of a route with an organization. */
export declare const CurrentOrg: (...dataOrPipes: unknown[]) => ParameterDecorator;
/** Handler parameter: the {@link SandboxCaller} of a route for agent servers. */
export declare const CurrentSandbox: (...dataOrPipes: unknown[]) => ParameterDecorator;
/** Handler parameter: what a request carries in `X-Session-API-Key`; null for nothing. */
export declare const PresentedSessionKey: (...dataOrPipes: unknown[]) => ParameterDecorator;
