import type { ApiBodyOptions } from '@nestjs/swagger';
import { OrgPath } from '../../../accounts/orgs';
import { boolean, Field, ForbidExtraKeys, list, model, string } from '../../../kernel/validation';
import { LlmOptions } from '../model-settings/llm-options.dto';
import { baseUrl, modelKey, modelName } from '../model-settings/model-fields';
import { profileName } from '../record/profile.dto';

/** A model profile in a list. */
class LlmProfileInfo {
  @Field(string(), { description: 'Its name.', example: 'Fast' })
  name!: string;

  @Field(string(), { description: 'The model.', example: 'openai/gpt-5' })
  model!: string;

  @Field(string(), { nullable: true, description: 'Base address of its API.', example: null })
  base_url!: string | null;

  @Field(boolean(), { description: 'Whether there is a key for it, which is never answered.', example: true })
  api_key_set!: boolean;
}

export class LlmProfileList {
  @Field(list(model(() => LlmProfileInfo)), { description: 'The profiles, by name.' })
  profiles!: LlmProfileInfo[];

  @Field(string(), { nullable: true, description: 'Name of the active one.', example: 'Fast' })
  active_profile!: string | null;
}

/** The model of a profile, without its key. */
export class LlmProfileConfig extends LlmOptions {
  @Field(string(), { description: 'The model.', example: 'openai/gpt-5' })
  model!: string;

  @Field(string(), { nullable: true, description: 'Base address of its API.', example: null })
  base_url!: string | null;

  @Field(boolean(), { description: 'Whether there is a key for it, which is never answered.', example: true })
  api_key_set!: boolean;
}

/** A model profile. */
export class LlmProfileDetail {
  @Field(string(), { description: 'Its name.', example: 'Fast' })
  name!: string;

  @Field(model(() => LlmProfileConfig), { description: 'The model.' })
  llm!: LlmProfileConfig;

  @Field(model(() => LlmProfileConfig), { description: 'The same as `llm`.' })
  config!: LlmProfileConfig;
}

const KnownName = (list: string, none: string) =>
  Field(string(), {
    description: 'Name of the profile.',
    example: 'Fast',
    exampleFrom: { get: list, list: 'profiles', value: 'name', none },
  });

export class LlmProfilePath {
  @KnownName('/api/v1/settings/profiles', 'You have no profile: store one with POST.')
  name!: string;
}

export class OrgLlmProfilePath extends OrgPath {
  @KnownName('/api/organizations/{org_id}/profiles', 'The organization has no profile: store one with POST.')
  name!: string;
}

/** The name of a profile, which may be new. */
export class NewLlmProfilePath {
  @Field(profileName(), { description: 'Name of the profile.', example: 'Fast' })
  name!: string;
}

export class NewOrgLlmProfilePath extends OrgPath {
  @Field(profileName(), { description: 'Name of the profile.', example: 'Fast' })
  name!: string;
}

/** The model of a profile to save: absent fields stay, null takes a value away. */
@ForbidExtraKeys()
export class LlmProfileModel extends LlmOptions {
  @Field(modelName({ minLength: 1 }), { description: 'The model.', example: 'openai/gpt-5' })
  model!: string;

  @Field(baseUrl(), {
    optional: true,
    nullable: true,
    description: 'Base address of its API. With another host the key goes, unless one comes along.',
    example: 'https://models.example.com/v1',
  })
  base_url?: string | null;

  @Field(modelKey(), {
    optional: true,
    nullable: true,
    description: 'Key for that API; absent: as it is, null: none. Kept encrypted; never answered.',
    example: 'sk-example',
  })
  api_key?: string | null;

  @Field(boolean(), {
    optional: true,
    nullable: true,
    description: 'As it is answered; changes nothing.',
    example: true,
  })
  api_key_set?: boolean | null;
}

/** Body of saving a profile. */
export class LlmProfileSave {
  @Field(model(() => LlmProfileModel), { description: 'The model.' })
  llm!: LlmProfileModel;
}

/** The documented body of saving a profile. */
export const MODEL_WITH_KEY: ApiBodyOptions = {
  type: LlmProfileSave,
  examples: {
    'A model with its key': { value: { llm: { model: 'openai/gpt-5', api_key: 'sk-example' } } },
    'A model that reasons little': {
      value: { llm: { model: 'openai/gpt-5', reasoning_effort: 'low', temperature: 0.2 } },
    },
  },
};
