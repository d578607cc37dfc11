import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrgPath, PageQuery } from '../../../accounts/orgs';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import { ApiErrors, Success } from '../../../kernel/http';
import { Idempotent } from '../../../kernel/idempotency';
import { PlainErrors } from '../../../kernel/validation';
import {
  BudgetExistsError,
  BudgetNotFoundError,
  BudgetSubjectNotFoundError,
  TooManyBudgetsError,
} from '../record/budgets.errors';
import { BudgetCreate, BudgetPage, BudgetPath, BudgetResponse, BudgetUpdate } from './budgets.dto';
import { BudgetsService } from './budgets.service';

const NOT_FOUND = { 404: 'The organization has no such budget.' };

@ApiTags('Budgets')
@Controller('api/organizations/:org_id/budgets')
export class BudgetsController {
  constructor(private readonly budgets: BudgetsService) {}

  // Declared before the route of one budget, which would take this word for an id.
  @Get('search')
  @Access({ org: 'path', permission: 'view_budgets' })
  @ApiOperation({
    summary: 'List the budgets of an organization',
    description: 'In pages, in a fixed order, with what is spent and reserved in their present period.',
  })
  @ApiOkResponse({ type: BudgetPage, description: 'One page of them.' })
  listBudgets(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: PageQuery,
  ): Promise<BudgetPage> {
    return this.budgets.list(org, query);
  }

  @Post()
  @Access({ org: 'path', permission: 'manage_budgets' })
  @HttpCode(201)
  @PlainErrors()
  @Idempotent()
  @ApiOperation({
    summary: 'Make a budget',
    description:
      'What may be spent on models, of the organization, each user, a user or service account, a repository, a tag, or a conversation with those below it. It begins with what its period has had before it.',
  })
  @ApiCreatedResponse({ type: BudgetResponse, description: 'The budget.' })
  @ApiErrors(
    {
      404: 'The organization has no such member, service account or conversation.',
      409: 'There is a budget of this scope, subject and period (`budget_exists`), or there are as many as there may be.',
    },
    new BudgetSubjectNotFoundError(),
    new BudgetExistsError(),
    new TooManyBudgetsError(),
  )
  @ApiBody({
    type: BudgetCreate,
    examples: {
      'Of the organization, by month': {
        value: { scope: 'organization', period: 'month', limit_usd: 500 },
      },
      'Of each user, by day': { value: { scope: 'each_user', period: 'day', limit_usd: 20 } },
      'Of a tag, by day, in tokens': {
        value: { scope: 'tag', subject: 'team:tools', period: 'day', limit_tokens: 5_000_000 },
      },
    },
  })
  createBudget(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: BudgetCreate,
  ): Promise<BudgetResponse> {
    return this.budgets.create(caller, org, body);
  }

  @Get(':budget_id')
  @Access({ org: 'path', permission: 'view_budgets' })
  @ApiOperation({
    summary: 'Read a budget',
    description: 'With what is spent and reserved in its present period.',
  })
  @ApiOkResponse({ type: BudgetResponse, description: 'The budget.' })
  @ApiErrors(NOT_FOUND, new BudgetNotFoundError())
  getBudget(@Param() path: BudgetPath, @CurrentOrg() org: OrgContext): Promise<BudgetResponse> {
    return this.budgets.get(org, path.budget_id);
  }

  @Patch(':budget_id')
  @Access({ org: 'path', permission: 'manage_budgets' })
  @PlainErrors()
  @ApiOperation({
    summary: 'Change the limits of a budget',
    description:
      'What is left out stays. Raising, removing or switching off a limit needs a reason, which is in the audit log. What was refused goes on when there is room again.',
  })
  @ApiOkResponse({ type: BudgetResponse, description: 'The budget as it is now.' })
  @ApiErrors(NOT_FOUND, new BudgetNotFoundError())
  @ApiBody({
    type: BudgetUpdate,
    examples: {
      'Raise it': { value: { limit_usd: 750, reason: 'The release needs it; agreed with finance.' } },
      'Lower it': { value: { limit_usd: 250 } },
    },
  })
  updateBudget(
    @Param() path: BudgetPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: BudgetUpdate,
  ): Promise<BudgetResponse> {
    return this.budgets.update(caller, org, path.budget_id, body);
  }

  @Delete(':budget_id')
  @Access({ org: 'path', permission: 'manage_budgets' })
  @ApiOperation({
    summary: 'Delete a budget',
    description: 'With what was spent of it; the ledger and the usage stay.',
  })
  @ApiOkResponse({ type: Success, description: 'It is deleted.' })
  @ApiErrors(NOT_FOUND, new BudgetNotFoundError())
  async deleteBudget(
    @Param() path: BudgetPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<Success> {
    await this.budgets.delete(caller, org, path.budget_id);
    return { success: true };
  }
}
