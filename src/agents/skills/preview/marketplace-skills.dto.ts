import { dictionary, Field, list, model, string } from '../../../kernel/validation';

/** A skill that a marketplace offers by itself, outside any plugin. */
class PreviewedSkill {
  @Field(string(), { description: 'Name of the skill.', example: 'release-notes' })
  name!: string;

  @Field(string(), { description: '`knowledge`, `repo` or `task`.', example: 'knowledge' })
  type!: string;

  @Field(string(), {
    description: '`marketplace:` and the name of the registration.',
    example: 'marketplace:team',
  })
  source!: string;

  @Field(list(string()), { description: 'Words that bring it up.', example: ['changelog'] })
  triggers!: string[];
}

/** A plugin that a marketplace offers. */
class PreviewedPlugin {
  @Field(string(), { description: 'Name of the plugin.', example: 'code-review' })
  name!: string;

  @Field(string(), { description: 'Source of the registration.', example: 'github:acme/marketplace' })
  source!: string;

  @Field(string(), { description: 'Name of the registration.', example: 'team' })
  marketplace!: string;

  @Field(string(), { description: 'Empty when the marketplace gives none.', example: 'Reviews a change.' })
  description!: string;
}

/** What marketplaces offer (docs/contract.md#marketplace-preview). */
export class MarketplaceSkillsPreviewResponse {
  @Field(list(model(() => PreviewedSkill)), { description: 'Skills that are offered outside plugins.' })
  skills!: PreviewedSkill[];

  @Field(list(model(() => PreviewedPlugin)), { description: 'Plugins that are offered.' })
  plugins!: PreviewedPlugin[];

  @Field(dictionary(list(string())), {
    description: 'Names of the skills by registration, for those registrations that could be fetched.',
    example: { team: ['release-notes'] },
  })
  marketplace_skills!: Record<string, string[]>;

  @Field(list(string()), {
    description: 'Problems met while fetching, each with the name of its registration before it.',
    example: ['other: there is no such repository'],
  })
  errors!: string[];
}
