import type { CredentialRules, Permission, Role, Standing } from './permissions';
import type { Caller, OrgContext } from './principal';

/** The caller of a request, or the actor of an extension. */
export type Asker = Pick<
  Caller,
  'boundOrgId' | 'selectedOrgId' | 'letInBy' | 'madeBy' | 'scopes' | 'ownKey' | 'identityProviderId'
> & {
  /** Null for the service itself, whose nothing is in particular. */
  readonly userId: string | null;
};

/**
 * For whom an extension acts from inside, in one organization (docs/extending.md#from-inside). Made by `Actors` alone, and
 * recognized by class: an object that lacks something is nobody, and never the service.
 */
export abstract class Actor implements Asker, OrgContext {
  /** Tells its type from that of an object that only looks like one. */
  declare protected readonly isActor: true;
  abstract readonly userId: string | null;

  readonly role: Role;
  readonly permissions: ReadonlySet<Permission>;
  readonly rules: CredentialRules | null;

  constructor(
    readonly orgId: string,
    { role, permissions, rules }: Standing,
    readonly letInBy: string | null,
  ) {
    this.role = role;
    this.permissions = permissions;
    this.rules = rules;
  }

  /** They have been taken off its permissions. */
  get scopes(): null {
    return null;
  }

  /** What the organization asks of credentials was asked of the caller's. */
  get ownKey(): null {
    return null;
  }

  get identityProviderId(): null {
    return null;
  }

  get boundOrgId(): string {
    return this.orgId;
  }

  get selectedOrgId(): string {
    return this.orgId;
  }
}

/** A member, with the role they had when this was made: make one for each thing that is done. */
export class UserActor extends Actor {
  constructor(
    readonly userId: string,
    org: OrgContext,
    /** Of the request whose caller this is; a user on whose behalf something runs has none. */
    readonly session: Pick<Caller, 'sessionId' | 'signedInAt' | 'letInBy'>,
  ) {
    super(org.orgId, org, session.letInBy);
  }
}

/** The service itself: it may do everything in one organization, and nothing outside. */
export class ServiceActor extends Actor {
  readonly userId = null;

  /** @param standing an owner's */
  constructor(orgId: string, standing: Standing) {
    super(orgId, standing, null);
  }
}
