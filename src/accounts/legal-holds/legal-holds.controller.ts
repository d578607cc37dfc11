import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Access,
  type Caller,
  CurrentCaller,
  CurrentOrg,
  type OrgContext,
  RecentSignIn,
} from '../../kernel/auth';
import { ApiErrors } from '../../kernel/http';
import { Idempotent } from '../../kernel/idempotency';
import { PlainErrors } from '../../kernel/validation';
import { OrgPath, PageQuery } from '../orgs';
import { LegalHoldCreate, LegalHoldPage, LegalHoldPath, LegalHoldResponse } from './legal-holds.dto';
import {
  HeldIsErasedError,
  HeldNotFoundError,
  LegalHoldLiftedError,
  LegalHoldNotFoundError,
  TooManyLegalHoldsError,
} from './legal-holds.errors';
import { LegalHoldsService } from './legal-holds.service';

@ApiTags('Personal data')
@Access({ org: 'path', permission: 'manage_legal_holds' })
@Controller('api/organizations/:org_id/legal-holds')
export class LegalHoldsController {
  constructor(private readonly holds: LegalHoldsService) {}

  @Get()
  @ApiOperation({
    summary: 'List the legal holds',
    description: 'In pages, in a fixed order; those that were lifted, too.',
  })
  @ApiOkResponse({ type: LegalHoldPage, description: 'One page of them.' })
  listLegalHolds(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: PageQuery,
  ): Promise<LegalHoldPage> {
    return this.holds.list(org, query);
  }

  @Post()
  @RecentSignIn()
  @HttpCode(201)
  @PlainErrors()
  @Idempotent()
  @ApiOperation({
    summary: 'Hold a conversation or a person',
    description: 'Nothing of it is deleted or erased until the hold is lifted.',
  })
  @ApiCreatedResponse({ type: LegalHoldResponse, description: 'The hold.' })
  @ApiErrors(
    {
      404: 'The organization has no such conversation, and nobody of that id.',
      409: 'What there is of the person is being erased (`erasure_under_way`), or there are as many holds as there may be.',
    },
    new HeldNotFoundError(),
    new HeldIsErasedError(),
    new TooManyLegalHoldsError(),
  )
  @ApiBody({
    type: LegalHoldCreate,
    examples: {
      'On a conversation': {
        value: { conversation_id: 'd8a5f6f2-3f0b-4c7e-9a55-0f6f8f3e2b1c', reason: 'Case 2026-117' },
      },
      'On a person': {
        value: { user_id: '3f333df6-90a4-4fda-8dd3-9485d27cee36', reason: 'Case 2026-117' },
      },
    },
  })
  createLegalHold(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: LegalHoldCreate,
  ): Promise<LegalHoldResponse> {
    return this.holds.create(caller, org, body);
  }

  @Delete(':hold_id')
  @RecentSignIn()
  @ApiOperation({
    summary: 'Lift a legal hold',
    description: 'Its record stays. What waited for it is deleted now.',
  })
  @ApiOkResponse({ type: LegalHoldResponse, description: 'The hold, which is over.' })
  @ApiErrors(
    { 404: 'The organization has no such hold.', 409: 'It was lifted before.' },
    new LegalHoldNotFoundError(),
    new LegalHoldLiftedError(),
  )
  liftLegalHold(
    @Param() path: LegalHoldPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<LegalHoldResponse> {
    return this.holds.lift(caller, org, path.hold_id);
  }
}
