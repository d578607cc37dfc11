import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
  KeptForUser,
} from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { Idempotent } from '../../../kernel/idempotency';
import { MemberNotFoundError, MemberPath, RankTooLowError, ServiceAccountError } from '../../orgs';
import { SignInLinkLimitError, SignInOffError } from '../proofs/sign-in.errors';
import { MAX_LINKS, SignInLink, SignInLinks } from './sign-in-links.service';

@ApiTags('Organizations')
@Controller('api')
export class SignInLinksController {
  constructor(private readonly links: SignInLinks) {}

  @KeptForUser()
  @Post('organizations/:org_id/members/:user_id/sign-in-link')
  @RecentSignIn()
  @HttpCode(201)
  @Idempotent({ hides: ['url'] })
  @Access({ org: 'path', permission: 'invite_user_to_organization' })
  @ApiOperation({
    summary: 'Let a member in who lost their key',
    description:
      'A link that works once, within an hour, made by somebody of higher rank. Its session is bound to the organization; its person is told by mail.',
  })
  @ApiCreatedResponse({ type: SignInLink, description: 'The link.' })
  @ApiErrors(
    {
      403: 'The caller’s rank is not above that of the member.',
      404: 'The organization has no such member.',
      409: 'The service has no pages to sign in at, or the member is a service account.',
      429: 'Too many links were made for the member.',
    },
    new RankTooLowError(),
    new MemberNotFoundError(),
    new SignInOffError(),
    new ServiceAccountError(),
    new SignInLinkLimitError(MAX_LINKS),
  )
  createSignInLink(
    @Param() path: MemberPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<SignInLink> {
    return this.links.create(caller, org, path.user_id);
  }
}
