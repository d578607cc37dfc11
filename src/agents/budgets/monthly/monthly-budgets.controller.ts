import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Put, Query } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { Access, type Caller, CurrentCaller, CurrentOrg, type OrgContext } from '../../../kernel/auth';
import { ApiErrors } from '../../../kernel/http';
import {
  BudgetFieldNotSupportedError,
  BudgetNotFoundError,
  BudgetSubjectNotFoundError,
  TooManyBudgetsError,
} from '../record/budgets.errors';
import {
  BudgetOverride,
  BudgetUserPath,
  MonthlyBudgets,
  MonthlyBudgetsQuery,
  MonthlyBudgetsUpdate,
  UserMonthlyBudget,
} from './monthly-budgets.dto';
import { MonthlyBudgetsService } from './monthly-budgets.service';

const TOO_MANY = { 409: 'There are as many budgets as there may be.' };

@ApiTags('Budgets')
@Controller('api/organizations/:org_id/budgets')
export class MonthlyBudgetsController {
  constructor(private readonly budgets: MonthlyBudgetsService) {}

  @Get()
  @Access({ org: 'path', permission: 'view_budgets' })
  @ApiOperation({
    summary: 'Read the monthly budgets of an organization',
    description:
      'In dollars: that of the organization, that of each user, and a page of the members with what each has spent and may spend.',
  })
  @ApiOkResponse({ type: MonthlyBudgets, description: 'The budgets.' })
  getMonthlyBudgets(
    @Param() _path: OrgPath,
    @CurrentOrg() org: OrgContext,
    @Query() query: MonthlyBudgetsQuery,
  ): Promise<MonthlyBudgets> {
    return this.budgets.read(org, query);
  }

  @Patch()
  @Access({ org: 'path', permission: 'manage_budgets' })
  @ApiOperation({
    summary: 'Change the monthly budgets of an organization',
    description:
      'What is left out stays; budgets that are missing are made. What cannot be honoured is refused: another day than the first, Slack, several thresholds below 100 percent.',
  })
  @ApiOkResponse({ type: MonthlyBudgets, description: 'The budgets as they are now.' })
  @ApiErrors(
    { ...TOO_MANY, 400: 'Something was asked for that there is not.' },
    new BudgetFieldNotSupportedError('reset_day', 'budgets begin anew with the month, on day 1'),
    new TooManyBudgetsError(),
  )
  @ApiBody({
    type: MonthlyBudgetsUpdate,
    examples: {
      'Of the organization, and of each user': {
        value: { enabled: true, monthly_limit: 500, default_user_monthly_limit: 50 },
      },
      'Switched off': { value: { enabled: false } },
    },
  })
  updateMonthlyBudgets(
    @Param() _path: OrgPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: MonthlyBudgetsUpdate,
  ): Promise<MonthlyBudgets> {
    return this.budgets.update(caller, org, body);
  }

  @Put('overrides/:user_id')
  @Access({ org: 'path', permission: 'manage_budgets' })
  @ApiOperation({
    summary: 'Give a user a monthly budget of their own',
    description:
      'In place of that for each user; with `is_disabled` no limit at all. Without either the user has what each user has.',
  })
  @ApiOkResponse({ type: UserMonthlyBudget, description: 'What the user may spend now.' })
  @ApiErrors(
    { ...TOO_MANY, 404: 'The organization has no such member or service account.' },
    new BudgetSubjectNotFoundError(),
    new TooManyBudgetsError(),
  )
  @ApiBody({
    type: BudgetOverride,
    examples: {
      'A limit of their own': { value: { monthly_limit: 120 } },
      'No limit': { value: { monthly_limit: null, is_disabled: true } },
    },
  })
  setBudgetOverride(
    @Param() path: BudgetUserPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Body() body: BudgetOverride,
  ): Promise<UserMonthlyBudget> {
    return this.budgets.override(caller, org, path.user_id, body);
  }

  @Delete('overrides/:user_id')
  @HttpCode(204)
  @Access({ org: 'path', permission: 'manage_budgets' })
  @ApiOperation({
    summary: 'End the monthly budget of a user',
    description: 'The user has what each user has from then on, with what this month has had.',
  })
  @ApiNoContentResponse({ description: 'It is deleted.' })
  @ApiErrors({ 404: 'The user has no monthly budget of their own.' }, new BudgetNotFoundError())
  deleteBudgetOverride(
    @Param() path: BudgetUserPath,
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
  ): Promise<void> {
    return this.budgets.endOverride(caller, org, path.user_id);
  }
}
