import { Field, integer, list, model, oneOf, string } from '../../../../kernel/validation';
import { ConversationUsage } from '../stats/org-stats.dto';

/** What the usage of an organization is told apart by. */
export const USAGE_GROUPS = ['day', 'user', 'model', 'repository', 'tag'] as const;

export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The longest period that is answered at once. */
export const MOST_DAYS = 366;

/** The first day that a time of the database may be on. */
export const FIRST_DAY = '0001-01-01';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A day of the calendar. */
function dayProblem(text: string): string | null {
  const time = DAY.test(text) && text >= FIRST_DAY ? Date.parse(`${text}T00:00:00Z`) : NaN;
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return isDay ? null : 'a day is written as 2026-11-28';
}

/** Of which days. */
class UsagePeriod {
  @Field(string({ rule: dayProblem }), {
    nullable: true,
    description: `The first day, in UTC; 29 days before the last one where it is left out. At most ${MOST_DAYS} days are answered.`,
    example: '2026-11-01',
  })
  from: string | null = null;

  @Field(string({ rule: dayProblem }), {
    nullable: true,
    description: 'The last day, in UTC; today where it is left out.',
    example: '2026-11-28',
  })
  to: string | null = null;
}

/** Of which days, and told apart by what; of an export. */
export class UsageExport extends UsagePeriod {
  @Field(oneOf(USAGE_GROUPS), { description: 'What it is told apart by.' })
  group_by: UsageGroup = 'day';
}

/** Of which days, and told apart by what. */
export class UsageQuery extends UsageExport {
  @Field(integer({ ge: 1, le: 100 }), {
    description: 'How many users, models, repositories or tags are told apart: those of the highest cost.',
  })
  limit = 20;
}

/** What the caller's own usage is told apart by. */
export const OWN_USAGE_GROUPS = ['day', 'model', 'repository', 'tag'] as const;

/** As {@link UsageQuery}, of the caller's own. */
export class OwnUsageQuery extends UsagePeriod {
  @Field(oneOf(OWN_USAGE_GROUPS), {
    description: 'What it is told apart by.',
  })
  group_by: (typeof OWN_USAGE_GROUPS)[number] = 'day';

  @Field(integer({ ge: 1, le: 100 }), {
    description: 'How many models, repositories or tags are told apart: those of the highest cost.',
  })
  limit = 20;
}

/** What was used on a day, by a user, with a model, on a repository or under a tag. */
export class UsageItem extends ConversationUsage {
  @Field(string(), {
    nullable: true,
    description:
      'The day, the id of the user, the model, the repository, or the tag as `name:value`; null for conversations without one. At most 255 characters.',
    example: '2026-11-28',
  })
  value!: string | null;

  @Field(string(), {
    nullable: true,
    description: 'The e-mail address of a user who is still there; null for anything else.',
    example: null,
  })
  user_email!: string | null;
}

/** What an organization, or one of its users, used in a period. */
export class OrgUsage {
  @Field(oneOf(USAGE_GROUPS), { description: 'What it is told apart by.', example: 'day' })
  group_by!: UsageGroup;

  @Field(string(), { description: 'The first day, in UTC.', example: '2026-11-01' })
  from!: string;

  @Field(string(), { description: 'The last day, in UTC.', example: '2026-11-28' })
  to!: string;

  @Field(list(model(() => UsageItem)), {
    description:
      'Each day in order, those without anything too; of anything else those of the highest cost first.',
  })
  items!: UsageItem[];

  @Field(model(() => ConversationUsage), {
    description: 'What the items leave out, together: all zero for days.',
  })
  others!: ConversationUsage;

  @Field(model(() => ConversationUsage), {
    description:
      'What was used in the period. Items and others add up to it, but for tags, of which a conversation may have several.',
  })
  totals!: ConversationUsage;
}
