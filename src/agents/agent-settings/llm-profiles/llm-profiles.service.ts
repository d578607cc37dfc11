import { Injectable } from '@nestjs/common';
import { newId, storableOrNull, storableText } from '../../../kernel/common';
import { shownOptions } from '../model-settings/llm-options';
import { accessAfter } from '../model-settings/model-access';
import { filled } from '../model-settings/model-fields';
import type { ProfileScope } from '../record/profile-scope';
import type { ProfileChanged } from '../record/profile.dto';
import { ProfilesService } from '../record/profiles.service';
import type { LlmProfileRow } from './llm-profile.entity';
import type { LlmProfileConfig, LlmProfileDetail, LlmProfileList, LlmProfileModel } from './llm-profiles.dto';
import { type LlmProfile, LlmProfilesRepository } from './llm-profiles.repository';

/** Model profiles of users and organizations (docs/contract.md#profiles). */
@Injectable()
export class LlmProfilesService extends ProfilesService<LlmProfileRow, LlmProfile> {
  constructor(protected readonly profiles: LlmProfilesRepository) {
    super();
  }

  async list(scope: ProfileScope): Promise<LlmProfileList> {
    const { profiles, active } = await this.visible(scope);
    return {
      profiles: profiles.map(({ name, model, baseUrl, apiKey }) => ({
        name,
        model,
        base_url: baseUrl,
        api_key_set: apiKey !== null,
      })),
      active_profile: active?.name ?? null,
    };
  }

  /** @throws ProfileNotFoundError */
  async get(scope: ProfileScope, name: string): Promise<LlmProfileDetail> {
    const profile = await this.find(scope, name);
    return { name, llm: toConfig(profile), config: toConfig(profile) };
  }

  /** Creates or updates a profile. @throws TooManyProfilesError */
  save(scope: ProfileScope, name: string, given: LlmProfileModel): Promise<ProfileChanged> {
    return this.put(scope, name, (before) => {
      const known = before ?? { id: newId(), isActive: false, baseUrl: null, apiKey: null, options: {} };
      const baseUrl = given.base_url === undefined ? known.baseUrl : storableOrNull(filled(given.base_url));
      return {
        ...scope.owner,
        id: known.id,
        isActive: known.isActive,
        name,
        model: storableText(given.model),
        ...accessAfter(known, { baseUrl, apiKey: given.api_key, options: given }),
      };
    });
  }

  /** Makes the owner's conversations run on a profile. @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
  async activate(scope: ProfileScope, name: string): Promise<ProfileChanged> {
    await this.makeActive(scope, { name });
    return { name, message: 'Conversations that start from now on run on this profile.' };
  }

  protected renamed(profile: LlmProfile, name: string): LlmProfile {
    return { ...profile, name };
  }
}

function toConfig({ model, baseUrl, apiKey, options }: LlmProfile): LlmProfileConfig {
  return { ...shownOptions(options), model, base_url: baseUrl, api_key_set: apiKey !== null };
}
