import { PAGE_ID_EXAMPLE } from '../../../kernel/common';
import { Field, integer, list, model, oneOf, string } from '../../../kernel/validation';

/** How a skill comes up. */
export const SKILL_TYPES = ['repo', 'knowledge', 'agentskills'] as const;

export class SkillSearch {
  @Field(string(), {
    optional: true,
    description: '`next_page_id` of the page before.',
    example: PAGE_ID_EXAMPLE,
  })
  page_id?: string;

  @Field(integer({ ge: 1 }), { description: 'Size of the page; above 100 counts as 100.' })
  limit = 100;
}

/** A skill that conversations may use. */
export class AvailableSkill {
  @Field(string(), { description: 'Name of the skill.', example: 'release-notes' })
  name!: string;

  @Field(oneOf(SKILL_TYPES), { description: 'How it comes up: `knowledge` by its triggers.' })
  type!: (typeof SKILL_TYPES)[number];

  @Field(string(), {
    description: '`marketplace:` and the name of the registration.',
    example: 'marketplace:team',
  })
  source!: string;

  @Field(list(string()), { description: 'Words that bring it up.', example: ['changelog'] })
  triggers!: string[];
}

export class AvailableSkillPage {
  @Field(list(model(() => AvailableSkill)), { description: 'Skills, by name.' })
  items!: AvailableSkill[];

  @Field(string(), { nullable: true, description: 'Start of the next page; null on the last one.' })
  next_page_id!: string | null;
}
