import { OrgPath } from '../../../accounts/orgs';
import {
  boolean,
  dateTime,
  Field,
  integer,
  list,
  model,
  number,
  string,
  uuid,
} from '../../../kernel/validation';
import { MAX_REASON, MOST_USD } from '../record/budget';

const USER = '3f333df6-90a4-4fda-8dd3-9485d27cee36';

const dollars = () => number({ gt: 0, le: MOST_USD });

const MAX_SEARCH = 200;
/** As many as there may be in a request; what is honoured of them is less. */
const MAX_THRESHOLDS = 100;

/** Path of operations on the monthly budget of one user. */
export class BudgetUserPath extends OrgPath {
  @Field(string(), {
    description: 'The id of a member or service account.',
    example: USER,
    exampleFrom: {
      get: '/api/organizations/{org_id}/members',
      list: 'items',
      value: 'user_id',
      none: 'The organization has no member.',
    },
  })
  user_id!: string;
}

/** Which users are listed with the monthly budgets. */
export class MonthlyBudgetsQuery {
  @Field(integer({ ge: 1, le: 1_000_000 }), { description: 'Which page of users, from 1.' }) users_page = 1;

  @Field(integer({ ge: 1, le: 1_000 }), { description: 'How many users a page has.' })
  users_per_page = 50;

  @Field(string({ maxLength: MAX_SEARCH }), {
    nullable: true,
    description: 'Part of the name or address of users.',
    example: null,
  })
  users_search: string | null = null;
}

/** A part of the limit of the organization at which it is told. */
export class BudgetThreshold {
  @Field(integer({ ge: 1, le: 100 }), { description: 'In percent of the limit.', example: 80 })
  percentage!: number;

  @Field(boolean(), { description: 'Whether mails are sent; false is refused.' }) email_enabled = true;

  @Field(boolean(), { description: 'There is no Slack here: true is refused.' }) slack_enabled = false;
}

/** Body of `PATCH …/budgets`: what is left out stays. */
export class MonthlyBudgetsUpdate {
  @Field(boolean(), {
    optional: true,
    description:
      'Whether the monthly budgets of the organization, of each user and of users are on. Without a limit they limit nothing.',
    example: true,
  })
  enabled?: boolean;

  @Field(dollars(), {
    nullable: true,
    optional: true,
    description: 'The most dollars of the organization; null for no limit.',
    example: 500,
  })
  monthly_limit?: number | null;

  @Field(integer({ ge: 1, le: 31 }), {
    optional: true,
    description: 'Months are those of the calendar, in UTC: another day than 1 is refused.',
    example: 1,
  })
  reset_day?: number;

  @Field(dollars(), {
    nullable: true,
    optional: true,
    description: 'The most dollars of each user without a limit of their own; null for none.',
    example: 50,
  })
  default_user_monthly_limit?: number | null;

  @Field(string(), {
    nullable: true,
    optional: true,
    description: 'There is no Slack here: anything but null is refused.',
    example: null,
  })
  slack_channel?: string | null;

  @Field(string(), {
    nullable: true,
    optional: true,
    description: 'There is no Slack here: anything but null is refused.',
    example: null,
  })
  slack_team_id?: string | null;

  @Field(
    list(
      model(() => BudgetThreshold),
      { max: MAX_THRESHOLDS },
    ),
    {
      optional: true,
      description: 'At most one below 100 percent; 100 is always one of them. More are refused.',
      example: [{ percentage: 80, email_enabled: true, slack_enabled: false }],
    },
  )
  thresholds?: BudgetThreshold[];

  @Field(string({ trim: true, minLength: 1, maxLength: MAX_REASON }), {
    nullable: true,
    description: 'Why, for the audit log.',
    example: null,
  })
  reason: string | null = null;
}

/** Body of `PUT …/budgets/overrides/{user_id}`. */
export class BudgetOverride {
  @Field(dollars(), {
    nullable: true,
    description: 'The most dollars of this user; null for what each user has.',
    example: 120,
  })
  monthly_limit: number | null = null;

  @Field(boolean(), { description: 'Whether this user has no limit; `monthly_limit` says nothing then.' })
  is_disabled = false;
}

/** A threshold, as it is answered. */
export class BudgetThresholdResponse {
  @Field(integer(), { description: 'Its place, from 1.', example: 1 }) id!: number;
  @Field(integer(), { description: 'In percent of the limit.', example: 80 }) percentage!: number;
  @Field(boolean(), { description: 'Whether mails are sent, where mail is set up.', example: true })
  email_enabled!: boolean;
  @Field(boolean(), { description: 'False.', example: false }) slack_enabled!: boolean;
}

/** What a user may spend in a month, and has spent. */
export class UserMonthlyBudget {
  @Field(uuid(), { description: 'Id of the member or service account.', example: USER }) user_id!: string;

  @Field(string(), {
    nullable: true,
    description: 'The address; null for a service account.',
    example: 'ada@example.com',
  })
  user_email!: string | null;

  @Field(string(), { nullable: true, description: 'The name, where there is one.', example: 'Ada' })
  user_name!: string | null;

  @Field(number(), { description: 'Dollars spent in this month.', example: 31.4 }) current_spend!: number;

  @Field(number(), { nullable: true, description: "The user's own limit; null for none.", example: null })
  monthly_limit!: number | null;

  @Field(number(), {
    nullable: true,
    description: "The limit that counts: the user's own, or that of each user; null for none.",
    example: 50,
  })
  effective_monthly_limit!: number | null;

  @Field(boolean(), {
    description: 'Whether this user has no limit, whatever each user has.',
    example: false,
  })
  is_disabled!: boolean;

  @Field(boolean(), { description: 'Whether the user has a budget of their own.', example: false })
  is_override!: boolean;
}

/** The monthly budgets of an organization, of each user and of users. */
export class MonthlyBudgets {
  @Field(boolean(), {
    description: 'Whether one of them is there and switched on, also without a limit.',
    example: true,
  })
  enabled!: boolean;

  @Field(number(), {
    nullable: true,
    description: 'The most dollars of the organization; null for no limit.',
    example: 500,
  })
  monthly_limit!: number | null;

  @Field(integer(), { description: 'The day of the month on which it begins: 1.', example: 1 })
  reset_day!: number;

  @Field(number(), {
    nullable: true,
    description: 'The most dollars of each user without a budget of their own; null for no limit.',
    example: 50,
  })
  default_user_monthly_limit!: number | null;

  @Field(string(), { nullable: true, description: 'Null.', example: null }) slack_channel!: string | null;
  @Field(string(), { nullable: true, description: 'Null.', example: null }) slack_team_id!: string | null;

  @Field(dateTime(), { description: 'When this month began.', example: '2026-11-01T00:00:00.000Z' })
  cycle_start_at!: string;

  @Field(dateTime(), { description: 'When the next one begins.', example: '2026-12-01T00:00:00.000Z' })
  cycle_end_at!: string;

  @Field(number(), { description: 'Dollars that the organization spent in this month.', example: 123.45 })
  current_spend!: number;

  @Field(number(), { description: 'In percent of the limit; 0 without one.', example: 24.69 })
  current_spend_percentage!: number;

  @Field(list(model(() => BudgetThresholdResponse)), {
    description: 'At what parts of the limit of the organization it is told; none without one.',
  })
  thresholds!: BudgetThresholdResponse[];

  @Field(list(model(() => UserMonthlyBudget)), { description: 'A page of members, by id.' })
  users!: UserMonthlyBudget[];

  @Field(integer(), { description: 'How many members there are, or were found.', example: 1 })
  users_total!: number;

  @Field(integer(), { description: 'Which page it is.', example: 1 }) users_page!: number;
  @Field(integer(), { description: 'How many a page has.', example: 50 }) users_per_page!: number;
}
