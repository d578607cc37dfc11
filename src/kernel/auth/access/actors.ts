import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock, parseUuid } from '../../common';
import { type Actor, ServiceActor, UserActor } from '../identity/actor';
import { NotAMemberError, PermissionDeniedError, UnknownOrganizationError } from '../identity/auth.errors';
import { PermissionTable } from '../identity/permission-table';
import type { Permission } from '../identity/permissions';
import { MembershipReader } from '../identity/ports';
import type { Caller, OrgContext } from '../identity/principal';
import { requireRecentSignIn } from './recent-sign-in';

/** Says for whom extensions act from inside (docs/extending.md#from-inside). */
@Injectable()
export class Actors {
  constructor(
    private readonly members: MembershipReader,
    private readonly permissions: PermissionTable,
    private readonly clock: Clock,
  ) {}

  /** The caller of a request, in the organization that it acts in: `@CurrentCaller` and `@CurrentOrg` of the route. */
  caller(caller: Caller, org: OrgContext): UserActor {
    return new UserActor(caller.userId, org, caller);
  }

  /**
   * A user who asked for something earlier, as in a job: their role is read now.
   * @param transaction the caller's, which has to see the member
   * @throws NotAMemberError for who is no member of the organization, or disabled
   */
  async user(userId: string, orgId: string, transaction?: EntityManager): Promise<UserActor> {
    const [user, org] = [parseUuid(userId), parseUuid(orgId)];
    if (user === null || org === null) throw new NotAMemberError();
    const standing = await (transaction === undefined
      ? this.members.standingOf(user, org)
      : this.members.standingIn(transaction, { userId: user, orgId: org }));
    if (standing === null) throw new NotAMemberError();
    return new UserActor(user, { orgId: org, ...standing }, { letInBy: null });
  }

  /** The service itself, in one organization. @throws UnknownOrganizationError for what is no id */
  service(orgId: string): ServiceActor {
    const id = parseUuid(orgId);
    if (id === null) throw new UnknownOrganizationError();
    return new ServiceActor(id, this.permissions.standing('owner', null));
  }

  /** Asserts that an actor has a permission in their organization. @throws PermissionDeniedError */
  require({ permissions }: Actor, permission: Permission): void {
    if (!permissions.has(permission)) throw new PermissionDeniedError(permission);
  }

  /** As the routes that change keys, roles and invitations do: see `@RecentSignIn`. @throws SignInAgainError */
  requireRecentSignIn(actor: Actor): void {
    if (actor instanceof UserActor) requireRecentSignIn(actor.session, this.clock.now());
  }
}
