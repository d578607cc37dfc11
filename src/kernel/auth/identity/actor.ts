import type { Role } from './permissions';
import type { Caller, OrgContext } from './principal';

/** The caller of a request, or the actor of an extension. */
export type Asker = Pick<Caller, 'boundOrgId' | 'selectedOrgId' | 'letInBy'> & {
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

  constructor(
    readonly orgId: string,
    readonly role: Role,
    readonly letInBy: string | null,
  ) {}

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
    { orgId, role }: OrgContext,
    /** Of the request whose caller this is; a user on whose behalf something runs has none. */
    readonly session: Pick<Caller, 'sessionId' | 'signedInAt' | 'letInBy'>,
  ) {
    super(orgId, role, session.letInBy);
  }
}

/** The service itself: it may do everything in one organization, and nothing outside. */
export class ServiceActor extends Actor {
  readonly userId = null;

  constructor(orgId: string) {
    super(orgId, 'owner', null);
  }
}
