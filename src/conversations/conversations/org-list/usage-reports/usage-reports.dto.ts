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
} from '../../../../kernel/validation';

const USER = '3f333df6-90a4-4fda-8dd3-9485d27cee36';
const TIME = '2026-11-20T09:30:00.000Z';

/** Days that end today; `ytd` is from the first of January on. */
export const STATS_WINDOWS = ['7d', '30d', '90d', 'ytd'] as const;

/** Of which days. */
export class UsageStatsQuery {
  @Field(integer({ ge: 1 }), {
    nullable: true,
    description: 'How many days, that end today; 7 where it is left out.',
    example: 7,
  })
  days: number | null = null;

  @Field(oneOf(STATS_WINDOWS), {
    nullable: true,
    description: 'In place of `days`; `ytd` is from the first of January on.',
    example: '30d',
  })
  time_window: (typeof STATS_WINDOWS)[number] | null = null;
}

/** What was used on one day. */
export class UsageOfDay {
  @Field(string(), { description: 'The day, in UTC.', example: '2026-11-28' }) date!: string;
  @Field(integer(), { description: 'Of prompt and completion together.', example: 4200 }) tokens!: number;
  @Field(integer(), { description: 'How many conversations were started.', example: 3 })
  conversations!: number;
}

/** What one user used. */
export class UsageOfMember {
  @Field(uuid(), { description: 'Id of the user.', example: USER }) user_id!: string;

  @Field(string(), {
    nullable: true,
    description: 'The address; null for who is gone, and for a service account.',
    example: 'ada@example.com',
  })
  user_email!: string | null;

  @Field(string(), { nullable: true, description: 'The name, where there is one.', example: 'Ada' })
  user_name!: string | null;

  @Field(integer(), { description: 'How many conversations were started.', example: 3 })
  conversation_count!: number;

  @Field(integer(), { description: 'Of prompt and completion together.', example: 4200 })
  total_tokens!: number;

  @Field(number(), { description: 'Of all tokens of the period, in percent.', example: 42.5 })
  percentage!: number;
}

/** What was used with one model. */
export class UsageOfModel {
  @Field(string(), {
    description: 'The model; empty where none is known.',
    example: 'anthropic/claude-sonnet',
  })
  model_name!: string;

  @Field(integer(), { description: 'How many conversations were started with it.', example: 3 })
  conversation_count!: number;

  @Field(integer(), { description: 'Of prompt and completion together.', example: 4200 })
  total_tokens!: number;

  @Field(number(), { description: 'Dollars.', example: 1.2 }) total_cost!: number;
}

/** What was used by one agent. */
export class UsageOfAgent {
  @Field(string(), { description: 'The agent.', example: 'CodeActAgent' }) agent_name!: string;
  @Field(integer(), { description: 'How many conversations.', example: 3 }) conversation_count!: number;
  @Field(number(), { description: 'Dollars.', example: 1.2 }) total_cost!: number;
}

/** What an organization used in a period. */
export class UsageStats {
  @Field(integer(), { description: 'How many users have used something.', example: 4 })
  active_users!: number;

  @Field(integer(), { description: 'How many conversations were started.', example: 46 }) agent_runs!: number;

  @Field(integer(), { description: 'Of prompt and completion together.', example: 4200 })
  total_tokens!: number;

  @Field(number(), { description: 'Dollars.', example: 12.5 }) estimated_spend!: number;

  @Field(list(model(() => UsageOfDay)), { description: 'Each day in order, those without anything too.' })
  daily_usage!: UsageOfDay[];

  @Field(list(model(() => UsageOfMember)), { description: 'The 100 users of the highest cost.' })
  team_usage!: UsageOfMember[];

  @Field(list(model(() => UsageOfModel)), { description: 'The 50 models of the highest cost.' })
  model_usage!: UsageOfModel[];

  @Field(list(model(() => UsageOfAgent)), { description: 'Empty: agents are not told apart.', example: [] })
  agent_usage!: UsageOfAgent[];
}

/** Which members. */
export class UserUsageQuery {
  @Field(integer({ ge: 1, le: 2_000 }), { description: 'How many are answered.' }) limit = 500;

  @Field(integer({ ge: 0, le: 1_000_000_000 }), { description: 'How many are left out before these.' })
  offset = 0;
}

/** What a member has used. */
export class UserUsage {
  @Field(uuid(), { description: 'Id of the member or service account.', example: USER }) user_id!: string;

  @Field(string(), {
    nullable: true,
    description: 'The address; null for a service account.',
    example: 'ada@example.com',
  })
  user_email!: string | null;

  @Field(string(), { nullable: true, description: 'The name, where there is one.', example: 'Ada' })
  user_name!: string | null;

  @Field(integer(), {
    description: 'How many conversations they have started, deleted ones included.',
    example: 12,
  })
  conversation_count!: number;

  @Field(dateTime(), {
    nullable: true,
    description: 'When they started the first that is still there; null for none.',
    example: TIME,
  })
  first_conversation_at!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'When they started the last that is still there; null for none.',
    example: TIME,
  })
  last_conversation_at!: string | null;

  @Field(dateTime(), { nullable: true, description: 'Null: it is not kept.', example: null })
  first_login_at!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'When the newest session of a browser began that has not ended; null for none.',
    example: TIME,
  })
  last_login_at!: string | null;

  @Field(number(), { description: 'Dollars in this month.', example: 3.5 }) spend_mtd!: number;
  @Field(number(), { description: 'Dollars in this year.', example: 31.4 }) spend_ytd!: number;
  @Field(number(), { description: 'Dollars ever.', example: 31.4 }) spend_lifetime!: number;

  @Field(number(), {
    nullable: true,
    description: 'The monthly limit that counts, their own or that of each user; null for none.',
    example: 50,
  })
  budget_monthly_limit!: number | null;

  @Field(boolean(), { description: 'Whether they have no limit, whatever each user has.', example: false })
  budget_is_disabled!: boolean;

  @Field(integer(), { nullable: true, description: 'Null: it is not known.', example: null })
  prs_merged!: number | null;
}

/** Members with what they have used. */
export class UserUsagePage {
  @Field(list(model(() => UserUsage)), { description: 'Members by id.' }) items!: UserUsage[];
  @Field(boolean(), { description: 'Whether there are more after these.', example: false })
  has_more!: boolean;
}
