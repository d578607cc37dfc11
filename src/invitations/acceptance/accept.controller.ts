import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../auth';
import { FailsWith } from '../../http';
import { ACCEPT_PATH } from '../invitation-tokens';
import { InvitationAccept, InvitationAccepted } from './accept.dto';
import { AcceptService } from './accept.service';

@ApiTags('Invitations')
@Controller(ACCEPT_PATH)
export class AcceptController {
  constructor(private readonly invitations: AcceptService) {}

  @Post()
  @HttpCode(200)
  @Access()
  @ApiOperation({ summary: "Accept an invitation to the caller's address" })
  @ApiOkResponse({ type: InvitationAccepted })
  @FailsWith({
    400: 'The invitation is not valid (`invitation_invalid`) or has expired (`invitation_expired`).',
    403: "The invitation is for another address (`email_mismatch`), or the caller's was never proved (`address_unproved`).",
    409: 'The caller is a member already (`already_member`).',
  })
  async acceptInvitation(
    @CurrentCaller() caller: Caller,
    @Body() body: InvitationAccept,
  ): Promise<InvitationAccepted> {
    const { orgId, orgName, role } = await this.invitations.asAccount(body.token, caller);
    return { success: true, org_id: orgId, org_name: orgName, role };
  }
}
