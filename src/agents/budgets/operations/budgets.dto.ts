import { OrgPath } from '../../../accounts/orgs';
import {
  boolean,
  dateTime,
  Field,
  integer,
  list,
  model,
  number,
  oneOf,
  string,
  uuid,
} from '../../../kernel/validation';
import {
  BUDGET_PERIODS,
  BUDGET_SCOPES,
  type BudgetPeriod,
  type BudgetScope,
  MAX_REASON,
  MAX_SUBJECT,
  MOST_USD,
} from '../record/budget';

const ID = '2f6b1c7e-94d3-4b0a-8c55-7e1d9a3f6b20';
const TIME = '2026-11-29T09:30:00.000Z';

const dollars = () => number({ ge: 0, le: MOST_USD });
const tokens = () => integer({ ge: 0, le: Number.MAX_SAFE_INTEGER });
const percent = () => integer({ ge: 1, le: 100 });

/** Path of operations on one budget. */
export class BudgetPath extends OrgPath {
  @Field(string(), {
    description: 'Id of the budget.',
    example: ID,
    exampleFrom: {
      get: '/api/organizations/{org_id}/budgets/search',
      list: 'items',
      value: 'id',
      none: 'The organization has no budget: make one with POST.',
    },
  })
  budget_id!: string;
}

/** Body of `POST …/budgets`. */
export class BudgetCreate {
  @Field(oneOf(BUDGET_SCOPES), {
    description:
      'What it is about; of `each_user` every user has as much for themselves, but those with one of their own of this period.',
    example: 'organization',
  })
  scope!: BudgetScope;

  @Field(string({ minLength: 1, maxLength: MAX_SUBJECT }), {
    nullable: true,
    description:
      'The id of the user, service account or conversation, the repository as conversations have it, or the tag as `name:value`; null for the organization and for each user.',
    example: null,
  })
  subject: string | null = null;

  @Field(oneOf(BUDGET_PERIODS), {
    description: 'How long it lasts until it begins anew, in UTC; `total` never does.',
    example: 'month',
  })
  period!: BudgetPeriod;

  @Field(dollars(), {
    nullable: true,
    description: 'The most dollars; null for no limit in dollars.',
    example: 500,
  })
  limit_usd: number | null = null;

  @Field(tokens(), {
    nullable: true,
    description: 'The most tokens, of prompt and completion together; null for no limit in tokens.',
    example: null,
  })
  limit_tokens: number | null = null;

  @Field(percent(), {
    nullable: true,
    description:
      'The part of a limit, in percent, from which on it is told that little is left; null for never.',
    example: 80,
  })
  soft_percent: number | null = 80;
}

/** Body of `PATCH …/budgets/{budget_id}`: what is left out stays. */
export class BudgetUpdate {
  @Field(dollars(), {
    nullable: true,
    optional: true,
    description: 'The most dollars; null for no limit in dollars.',
    example: 750,
  })
  limit_usd?: number | null;

  @Field(tokens(), {
    nullable: true,
    optional: true,
    description: 'The most tokens; null for no limit in tokens.',
    example: null,
  })
  limit_tokens?: number | null;

  @Field(percent(), { nullable: true, optional: true, description: 'As in POST.', example: 80 })
  soft_percent?: number | null;

  @Field(boolean(), {
    optional: true,
    description:
      'Whether it counts, and limits anything. Enabled again, it begins with what its period has had.',
    example: true,
  })
  enabled?: boolean;

  @Field(string({ trim: true, minLength: 1, maxLength: MAX_REASON }), {
    nullable: true,
    description: 'Why; needed where a limit is raised, removed or switched off. The audit log has it.',
    example: 'The release needs it; agreed with finance.',
  })
  reason: string | null = null;
}

/** A budget, with what is spent and reserved in its present period. */
export class BudgetResponse {
  @Field(uuid(), { description: 'Id of the budget.', example: ID }) id!: string;

  @Field(oneOf(BUDGET_SCOPES), {
    description:
      'What it is about; of `each_user` every user has as much for themselves, but those with one of their own of this period.',
    example: 'organization',
  })
  scope!: BudgetScope;

  @Field(string(), {
    nullable: true,
    description:
      'The id of the user, service account or conversation, the repository, or the tag as `name:value`; null for the organization and for each user.',
    example: null,
  })
  subject!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'The address of the user it is about, who is still there; null for anything else.',
    example: null,
  })
  user_email!: string | null;

  @Field(oneOf(BUDGET_PERIODS), { description: 'How long it lasts until it begins anew.', example: 'month' })
  period!: BudgetPeriod;

  @Field(number(), { nullable: true, description: 'The most dollars; null for no such limit.', example: 500 })
  limit_usd!: number | null;

  @Field(integer(), {
    nullable: true,
    description: 'The most tokens; null for no such limit.',
    example: null,
  })
  limit_tokens!: number | null;

  @Field(integer(), {
    nullable: true,
    description: 'From how many percent of a limit on it is told that little is left; null for never.',
    example: 80,
  })
  soft_percent!: number | null;

  @Field(boolean(), { description: 'Whether it counts, and limits anything.', example: true })
  enabled!: boolean;

  @Field(number(), {
    description: 'Dollars spent in the period; of one for each user by all of them together.',
    example: 123.45,
  })
  spent_usd!: number;

  @Field(number(), { description: 'Tokens spent in the period.', example: 20_417_000 }) spent_tokens!: number;

  @Field(number(), { description: 'Dollars that calls under way may cost at most.', example: 1.2 })
  reserved_usd!: number;

  @Field(number(), { description: 'Tokens that calls under way may use at most.', example: 96_000 })
  reserved_tokens!: number;

  @Field(string(), {
    nullable: true,
    description: 'The first day of the period, in UTC; null where it has one only.',
    example: '2026-11-01',
  })
  period_start!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'When the next period begins; null where it has one only.',
    example: '2026-12-01T00:00:00.000Z',
  })
  resets_at!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'When little was left in this period; null before, and of one for each user.',
    example: null,
  })
  soft_reached_at!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'Since when nothing is left in this period; null while there is, and of one for each user.',
    example: null,
  })
  exhausted_at!: string | null;

  @Field(uuid(), { description: 'Who made it.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  created_by_user_id!: string;

  @Field(dateTime(), { description: 'When it was made.', example: TIME }) created_at!: string;

  @Field(dateTime(), { description: 'When it was last changed.', example: TIME }) updated_at!: string;
}

/** A page of budgets. */
export class BudgetPage {
  @Field(list(model(() => BudgetResponse)), { description: 'The budgets of the page.' })
  items!: BudgetResponse[];

  @Field(string(), { nullable: true, description: 'Null on the last page.', example: null })
  next_page_id!: string | null;
}
