import { Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { ApiErrors } from '../../../kernel/http';
import { InvitationResponse } from '../record/invite.dto';
import { PendingInvitationsService } from './pending-invitations.service';
import {
  InvitationNotFoundError,
  InvitationNotPendingError,
  LIMIT_REACHED,
  RoleNotGrantableError,
} from '../record/invitations.errors';
import { Field, integer, list, model, string } from '../../../kernel/validation';

/** One invitation of an organization. */
class InvitationPath extends OrgPath {
  @Field(string(), {
    description: 'Id of the invitation.',
    example: '17',
    exampleFrom: {
      get: '/api/organizations/{org_id}/members/invite',
      list: 'items',
      value: 'id',
      none: 'Nobody is invited: invite somebody with POST /api/organizations/{org_id}/members/invite.',
    },
  })
  invitation_id!: string;
}

/** Which page of the pending invitations. */
class InvitationsQuery {
  @Field(string(), { nullable: true, description: '`next_page_id` of the page before.' })
  page_id: string | null = null;

  @Field(integer({ ge: 1 }), { description: 'Largest number of items; above 100 counts as 100.' })
  limit = 100;
}

/** Pending invitations, newest first. */
class InvitationPage {
  @Field(list(model(() => InvitationResponse)), { description: 'The invitations of the page.' })
  items!: InvitationResponse[];

  @Field(string(), { nullable: true, description: '`page_id` of the next page; null on the last one.' })
  next_page_id!: string | null;
}

const UNKNOWN_ORGANIZATION = {
  400: 'The organization does not exist.',
};

@ApiTags('Invitations')
@Controller('api/organizations/:org_id/members/invite')
export class PendingInvitationsController {
  constructor(private readonly invitations: PendingInvitationsService) {}

  @Get()
  @Access({ org: 'path', permission: 'invite_user_to_organization', unknownOrgStatus: 400 })
  @ApiOperation({ summary: 'List pending invitations', description: 'Newest first.' })
  @ApiOkResponse({ type: InvitationPage, description: 'One page of them.' })
  @ApiErrors(UNKNOWN_ORGANIZATION, new UnknownOrganizationError())
  listInvitations(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() _path: OrgPath,
    @Query() query: InvitationsQuery,
  ): Promise<InvitationPage> {
    return this.invitations.list(caller, org, query.page_id, query.limit);
  }

  @Delete(':invitation_id')
  @RecentSignIn()
  @HttpCode(204)
  @Access({ org: 'path', permission: 'invite_user_to_organization', unknownOrgStatus: 400 })
  @ApiOperation({ summary: 'Revoke an invitation', description: 'Its link stops working at once.' })
  @ApiNoContentResponse({ description: 'Revoked.' })
  @ApiErrors(
    {
      ...UNKNOWN_ORGANIZATION,
      404: 'The organization has no such invitation.',
      409: 'It is no longer pending.',
    },
    new UnknownOrganizationError(),
    new InvitationNotFoundError(),
    new InvitationNotPendingError('revoked'),
  )
  revokeInvitation(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() path: InvitationPath,
  ): Promise<void> {
    return this.invitations.revoke(caller, org, path.invitation_id);
  }

  @Post(':invitation_id/resend')
  @RecentSignIn()
  @HttpCode(200)
  @Access({ org: 'path', permission: 'invite_user_to_organization', unknownOrgStatus: 400 })
  @ApiOperation({
    summary: 'Renew an invitation and mail it again',
    description: 'New link and new expiry; also for one that has expired. Counts as one invited address.',
  })
  @ApiOkResponse({ type: InvitationResponse, description: 'The invitation with its new link.' })
  @ApiErrors(
    {
      ...UNKNOWN_ORGANIZATION,
      403: 'Not an owner or admin, or an admin renewing an invitation as owner.',
      404: 'The organization has no such invitation.',
      409: 'It was accepted or revoked.',
      429: 'Too many invitations in a while. `Retry-After` says when to call again.',
    },
    new UnknownOrganizationError(),
    new RoleNotGrantableError('owner'),
    new InvitationNotFoundError(),
    new InvitationNotPendingError('accepted'),
    LIMIT_REACHED,
  )
  async resendInvitation(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() path: InvitationPath,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InvitationResponse> {
    const { body, headers } = await this.invitations.resend(caller, org, path.invitation_id);
    response.set(headers);
    return body;
  }
}
