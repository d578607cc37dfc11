import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
  SignedInByLinkError,
} from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import { LegalHoldError } from '../../legal-holds';
import {
  LastOwnerErasedError,
  MemberNotFoundError,
  MemberPath,
  RankTooLowError,
  ServiceAccountError,
} from '../../orgs';
import { ErasureQuery, ErasureResponse, OwnErasureRequest } from './erasures.dto';
import {
  AlreadyErasedError,
  ConfirmationError,
  ErasureUnderWayError,
  OwnErasureError,
} from './erasures.errors';
import { PeopleErasures } from './people-erasures';

const CONFLICTS =
  'There is a legal hold, an organization with other members would have no owner, or an erasure was asked for before.';

@ApiTags('Personal data')
@Controller('api')
export class ErasuresController {
  constructor(private readonly erasures: PeopleErasures) {}

  @Get('users/me/erasure')
  @Access()
  @ApiOperation({
    summary: 'How your erasure stands',
    description: 'While it waits for a legal hold; once it has begun, you have no key any more.',
  })
  @ApiOkResponse({ type: ErasureResponse, description: 'The erasure; `none` where none was asked for.' })
  getOwnErasure(@CurrentCaller() caller: Caller): Promise<ErasureResponse> {
    return this.erasures.own(caller);
  }

  @Post('users/me/erasure')
  @RecentSignIn()
  @Access()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Erase yourself',
    description:
      'With a key that is bound to an organization, only what you have there. Your keys end at once; figures stay under an erased user.',
  })
  @ApiAcceptedResponse({
    type: ErasureResponse,
    description: 'The erasure; with `dry_run`, what it would do.',
  })
  @ApiErrors(
    {
      400: 'The confirmation is not your address (`confirmation_mismatch`).',
      403: 'The link of an administrator let you in.',
      409: CONFLICTS,
    },
    new ConfirmationError(),
    new SignedInByLinkError(),
    new LegalHoldError(),
    new LastOwnerErasedError(),
    new ErasureUnderWayError(),
    new ServiceAccountError(),
  )
  @ApiBody({
    type: OwnErasureRequest,
    examples: { 'For good': { value: { confirmation: 'robin@example.com' } } },
  })
  eraseOwn(
    @CurrentCaller() caller: Caller,
    @Query() query: ErasureQuery,
    @Body() body: OwnErasureRequest,
  ): Promise<ErasureResponse> {
    return this.erasures.askOwn(caller, query, body);
  }

  @Get('organizations/:org_id/erasures/:user_id')
  @Access({ org: 'path', permission: 'erase_members' })
  @ApiOperation({
    summary: 'How the erasure of a member stands',
    description: 'Also of who was one.',
  })
  @ApiOkResponse({ type: ErasureResponse, description: 'The erasure; `none` where none was asked for.' })
  @ApiErrors(
    { 404: 'The organization has no such member, and erased nobody of that id.' },
    new MemberNotFoundError(),
  )
  getMemberErasure(@Param() path: MemberPath, @CurrentOrg() org: OrgContext): Promise<ErasureResponse> {
    return this.erasures.ofMember(org, path.user_id);
  }

  @Post('organizations/:org_id/erasures/:user_id')
  @RecentSignIn()
  @Access({ org: 'path', permission: 'erase_members' })
  @HttpCode(202)
  @ApiOperation({
    summary: 'Erase a member',
    description: 'All that they have in this organization, and their account, if they are in no other.',
  })
  @ApiAcceptedResponse({
    type: ErasureResponse,
    description: 'The erasure; with `dry_run`, what it would do.',
  })
  @ApiErrors(
    {
      403: 'The caller’s rank is too low.',
      404: 'The organization has no such member.',
      409: `${CONFLICTS} Or it is the caller (\`own_erasure\`), or a service account.`,
    },
    new RankTooLowError(),
    new MemberNotFoundError(),
    new LegalHoldError(),
    new LastOwnerErasedError(),
    new ErasureUnderWayError(),
    new AlreadyErasedError(),
    new OwnErasureError(),
    new ServiceAccountError(),
  )
  eraseMember(
    @Param() path: MemberPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Query() query: ErasureQuery,
  ): Promise<ErasureResponse> {
    return this.erasures.askForMember(caller, org, path.user_id, query);
  }
}
