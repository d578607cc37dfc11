import { Injectable } from '@nestjs/common';
import { type Actor, Actors, type Role } from '../../../kernel/auth';
import { checkGiven } from '../../../kernel/validation';
import { MemberQuery, type OrgMemberPage, type OrgMemberResponse } from './members.dto';
import { MembersService } from './members.service';

/** The members of organizations, from inside (docs/extending.md#from-inside). */
@Injectable()
export class Members {
  constructor(
    private readonly members: MembersService,
    private readonly actors: Actors,
  ) {}

  /** A page of them, by user id. @throws PermissionDeniedError, PageIdInvalidError, ValidationError */
  async list(actor: Actor, query: Partial<MemberQuery> = {}): Promise<OrgMemberPage> {
    this.actors.require(actor, 'view_org_settings');
    return this.members.list(actor, checkGiven(MemberQuery, query));
  }

  /** One of them, with their role. @throws PermissionDeniedError, MemberNotFoundError */
  async find(actor: Actor, userId: string): Promise<OrgMemberResponse> {
    this.actors.require(actor, 'view_org_settings');
    return this.members.get(actor, userId);
  }

  /**
   * Gives a member another role. The service ranks as an owner, and leaves one.
   * @throws PermissionDeniedError, SignInAgainError, OwnRoleError, RankTooLowError, MemberNotFoundError, LastOwnerError
   */
  async changeRole(actor: Actor, userId: string, role: Role): Promise<OrgMemberResponse> {
    this.actors.require(actor, 'change_user_role:member');
    this.actors.requireRecentSignIn(actor);
    return this.members.changeRole(actor, actor, userId, { role });
  }
}
