import { Injectable } from '@nestjs/common';
import { Actors, type Role, type UserActor } from '../../../kernel/auth';
import { checkGiven } from '../../../kernel/validation';
import { type BatchInvitationResponse, InvitationCreate } from '../record/invite.dto';
import { InviteService } from './invite.service';

/** Invitations, from inside (docs/extending.md#from-inside): each is a member's, who answers for it. */
@Injectable()
export class Invitations {
  constructor(
    private readonly invitations: InviteService,
    private readonly actors: Actors,
  ) {}

  /**
   * Invites addresses, with the limits and emails of the route; an invitation that is pending is renewed.
   * @param role member where it is left out
   * @throws PermissionDeniedError, SignInAgainError, RoleNotGrantableError, InvitationLimitError, ValidationError
   */
  async invite(user: UserActor, emails: readonly string[], role?: Role): Promise<BatchInvitationResponse> {
    this.actors.require(user, 'invite_user_to_organization');
    this.actors.requireRecentSignIn(user);
    return (await this.invitations.invite(user, user, checkGiven(InvitationCreate, { emails, role }))).body;
  }
}
