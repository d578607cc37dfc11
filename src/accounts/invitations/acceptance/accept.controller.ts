import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller, RecentSignIn } from '../../../kernel/auth';
import { ApiErrors, ToPutIn } from '../../../kernel/http';
import { ACCEPT_PATH } from '../record/invitation-tokens';
import {
  EmailNotVerifiedError,
  AlreadyMemberError,
  EmailMismatchError,
  InvitationExpiredError,
  InvitationInvalidError,
} from '../record/invitations.errors';
import { DeprovisionedError } from '../../orgs';
import { AcceptService } from './accept.service';
import { boolean, Field, oneOf, string, uuid } from '../../../kernel/validation';

/** The token of an invitation. */
class InvitationAccept {
  @Field(string(), { description: 'The `token` of the link.', example: 'inv-…' })
  token!: string;
}

/** The organization that was joined. */
class InvitationAccepted {
  @Field(boolean(), { description: 'Always true.' })
  success!: boolean;

  @Field(uuid(), { description: 'The organization that was joined.' })
  org_id!: string;

  @Field(string(), { description: 'Its name.' })
  org_name!: string;

  @Field(oneOf(['member', 'admin', 'owner']), { description: 'What the caller is in it now.' })
  role!: 'member' | 'admin' | 'owner';
}

@ApiTags('Invitations')
@Controller(ACCEPT_PATH)
export class AcceptController {
  constructor(private readonly invitations: AcceptService) {}

  @Post()
  @RecentSignIn()
  @ToPutIn('Put in the `token` of the link in an invitation to the address of your user; it works once.')
  @HttpCode(200)
  @Access()
  @ApiOperation({
    summary: 'Accept an invitation',
    description: "For callers with a key whose address the invitation is for; others use the link's page.",
  })
  @ApiOkResponse({ type: InvitationAccepted, description: 'The caller is a member now.' })
  @ApiErrors(
    {
      400: 'The invitation is not valid (`invitation_invalid`) or has expired (`invitation_expired`).',
      403: "The invitation is for another address (`email_mismatch`), the caller's was never proved (`address_unproved`), or the organization's directory has switched them off (`deprovisioned`).",
      409: 'The caller is a member already (`already_member`).',
    },
    new InvitationInvalidError(),
    new InvitationExpiredError(),
    new EmailMismatchError(),
    new EmailNotVerifiedError(),
    new DeprovisionedError(),
    new AlreadyMemberError(),
  )
  @ApiBody({ type: InvitationAccept, examples: { 'The token of the link': { value: { token: 'inv-…' } } } })
  async acceptInvitation(
    @CurrentCaller() caller: Caller,
    @Body() body: InvitationAccept,
  ): Promise<InvitationAccepted> {
    const { orgId, orgName, role } = await this.invitations.acceptAsCaller(body.token, caller);
    return { success: true, org_id: orgId, org_name: orgName, role };
  }
}
