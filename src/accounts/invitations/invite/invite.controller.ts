import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { OrgPath } from '../../orgs';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
  UnknownOrganizationError,
} from '../../../kernel/auth';
import { ApiErrors, ApiLinks } from '../../../kernel/http';
import { Idempotent } from '../../../kernel/idempotency';
import { BatchInvitationResponse, InvitationCreate } from '../record/invite.dto';
import { InvalidRoleError, LIMIT_REACHED, RoleNotGrantableError } from '../record/invitations.errors';
import { InviteService } from './invite.service';

@ApiTags('Invitations')
@Controller('api/organizations/:org_id/members/invite')
export class InviteController {
  constructor(private readonly invitations: InviteService) {}

  @Post()
  @RecentSignIn()
  @Idempotent({ hides: ['invite_url'] })
  @HttpCode(200)
  @Access({ org: 'path', permission: 'invite_user_to_organization', unknownOrgStatus: 400 })
  @ApiOperation({
    summary: 'Invite several addresses',
    description:
      'Some invitations can succeed while others fail. A pending invitation for an address is renewed: its earlier link stops working.',
  })
  @ApiOkResponse({ type: BatchInvitationResponse, description: 'What became of each address.' })
  @ApiLinks({
    listInvitations: { org_id: '$request.path.org_id' },
    resendInvitation: {
      org_id: '$request.path.org_id',
      invitation_id: '$response.body#/successful/0/id',
    },
    revokeInvitation: {
      org_id: '$request.path.org_id',
      invitation_id: '$response.body#/successful/0/id',
    },
  })
  @ApiErrors(
    {
      400: 'The role is none of the three, or the organization does not exist.',
      403: 'Not an owner or admin, or an admin inviting an owner.',
      429: 'Too many invitations in a while; nobody was invited. `Retry-After` says when to call again.',
    },
    new InvalidRoleError(),
    new UnknownOrganizationError(),
    new RoleNotGrantableError('owner'),
    LIMIT_REACHED,
  )
  @ApiBody({
    type: InvitationCreate,
    examples: {
      'Two members': { value: { emails: ['a@example.com', 'b@example.com'] } },
      'An admin': { value: { emails: ['a@example.com'], role: 'admin' } },
    },
  })
  async inviteMembers(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() _path: OrgPath,
    @Body() body: InvitationCreate,
    @Res({ passthrough: true }) response: Response,
  ): Promise<BatchInvitationResponse> {
    const { body: created, headers } = await this.invitations.invite(caller, org, body);
    response.set(headers);
    return created;
  }
}
