import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsUUID, Length } from 'class-validator';
import { Access, Actors, CurrentCaller, CurrentOrg } from 'org-conversation-service';
import { type Caller, Field, list, number, type OrgContext, string, uuid } from 'org-conversation-service';
import { Budgets } from './budgets.service';

/** The organization of the path; declared with class-validator's own decorators. */
class BudgetsPath {
  @IsUUID()
  org_id!: string;
}

/** The department of the path. */
class BudgetPath extends BudgetsPath {
  @Length(1, 100)
  department!: string;
}

const LIMIT = { description: 'What it may spend, in US dollars.', example: 250 };

/** What to set; declared as the service declares its own. */
export class BudgetSet {
  @Field(number({ ge: 0 }), LIMIT)
  limit_dollars!: number;

  @Field(list(uuid(), { max: 100 }), { description: 'The members who are in the department.' })
  user_ids!: string[];
}

/** A budget, as it is answered. */
export class DepartmentBudget {
  @Field(string(), { description: 'Whose it is.', example: 'research' })
  department!: string;

  @Field(number(), LIMIT)
  limit_dollars!: number;

  @Field(number(), { description: 'What its conversations cost so far.', example: 12.5 })
  spent_dollars!: number;
}

@ApiTags('Department budgets')
@Controller('api/organizations/:org_id/acme-budgets')
export class BudgetsController {
  constructor(
    private readonly budgets: Budgets,
    private readonly actors: Actors,
  ) {}

  @Get()
  @Access({ org: 'path', permission: 'view_org_settings' })
  @ApiOperation({ summary: 'List budgets', description: 'For every member, by department.' })
  @ApiOkResponse({ type: [DepartmentBudget], description: 'The budgets.' })
  listDepartmentBudgets(@Param() { org_id }: BudgetsPath): Promise<DepartmentBudget[]> {
    return this.budgets.list(org_id);
  }

  @Put(':department')
  @Access({ org: 'path', permission: 'acme:manage_budgets' })
  @ApiOperation({ summary: 'Set a budget', description: 'Makes the department where there is none.' })
  @ApiOkResponse({ type: [DepartmentBudget], description: 'All budgets.' })
  async setDepartmentBudget(
    @CurrentCaller() caller: Caller,
    @CurrentOrg() org: OrgContext,
    @Param() { org_id, department }: BudgetPath,
    @Body() body: BudgetSet,
  ): Promise<DepartmentBudget[]> {
    await this.budgets.set(this.actors.caller(caller, org), department, body);
    return this.budgets.list(org_id);
  }
}
