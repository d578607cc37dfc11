import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { nearestFirst, newId, storableText } from '../../common';
import { DomainEvents } from '../../domain-events';
import { filled, keyAfter } from '../record/model-fields';
import { ProfileExistsError, ProfileNotFoundError, TooManyProfilesError } from '../record/profile-errors';
import { MAX_PROFILES } from '../record/profile-fields';
import { changeable, nearestByName, type ProfileScope } from '../record/profile-scope';
import type {
  LlmProfileConfig,
  LlmProfileDetail,
  LlmProfileList,
  LlmProfileModel,
  ProfileChanged,
} from './llm-profiles.dto';
import { type LlmProfile, LlmProfilesRepository } from './llm-profiles.repository';

/** Model profiles of users and organizations (docs/contract.md#profiles). */
@Injectable()
export class LlmProfilesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly profiles: LlmProfilesRepository,
    private readonly events: DomainEvents,
  ) {}

  async list({ seen }: ProfileScope): Promise<LlmProfileList> {
    const all = await this.profiles.of(seen);
    const [active] = all.filter(({ isActive }) => isActive).sort(nearestFirst);
    return {
      profiles: nearestByName(all).map((profile) => ({
        name: profile.name,
        model: profile.model,
        base_url: profile.baseUrl,
        api_key_set: profile.apiKey !== null,
      })),
      active_profile: active?.name ?? null,
    };
  }

  /** @throws ProfileNotFoundError */
  async get({ seen }: ProfileScope, name: string): Promise<LlmProfileDetail> {
    const [profile] = nearestByName(await this.profiles.of(seen, { name }));
    if (profile === undefined) throw new ProfileNotFoundError();
    return { name, llm: toConfig(profile), config: toConfig(profile) };
  }

  /** Adds a profile or changes it. @throws TooManyProfilesError */
  async save(scope: ProfileScope, name: string, given: LlmProfileModel): Promise<ProfileChanged> {
    await this.change(scope, async (transaction) => {
      const [before] = await this.profiles.of([scope.owner], { name }, transaction);
      if (before === undefined && (await this.profiles.count(transaction, scope.owner)) >= MAX_PROFILES)
        throw new TooManyProfilesError(MAX_PROFILES);
      const known = before ?? { id: newId(), isActive: false, baseUrl: null, apiKey: null };
      const baseUrl = given.base_url === undefined ? known.baseUrl : filled(given.base_url);
      const apiKey = keyAfter(given.api_key, known, baseUrl);
      const { owner } = scope;
      await this.profiles.save(transaction, {
        ...owner,
        id: known.id,
        isActive: known.isActive,
        name,
        model: storableText(given.model),
        baseUrl: baseUrl === null ? null : storableText(baseUrl),
        apiKey,
      });
    });
    return { name, message: 'The profile was saved.' };
  }

  /** @throws ProfileNotFoundError, ProfileOfAllOrganizationsError, ProfileExistsError */
  async rename(scope: ProfileScope, name: string, newName: string): Promise<ProfileChanged> {
    await this.change(scope, async (transaction) => {
      const profile = changeable(scope, await this.profiles.of(scope.seen, { name }, transaction));
      const taken = await this.profiles.of([scope.owner], { name: newName }, transaction);
      if (taken.some(({ id }) => id !== profile.id)) throw new ProfileExistsError();
      await this.profiles.save(transaction, { ...profile, name: newName });
    });
    return { name: newName, message: 'The profile was renamed.' };
  }

  /** Has the conversations of its owner run on it. @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
  async activate(scope: ProfileScope, name: string): Promise<ProfileChanged> {
    await this.change(scope, async (transaction) => {
      const { id } = changeable(scope, await this.profiles.of(scope.seen, { name }, transaction));
      await this.profiles.activate(transaction, scope.owner, id);
    });
    return { name, message: 'Conversations that start from now on run on this profile.' };
  }

  /** @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
  async delete(scope: ProfileScope, name: string): Promise<ProfileChanged> {
    await this.change(scope, async (transaction) => {
      const { id } = changeable(scope, await this.profiles.of(scope.seen, { name }, transaction));
      await this.profiles.delete(transaction, id);
    });
    return { name, message: 'The profile was deleted.' };
  }

  private async change(
    { owner }: ProfileScope,
    work: (transaction: EntityManager) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.profiles.lock(transaction, owner);
      await work(transaction);
      await this.events.publish(transaction, {
        kind: 'settings.updated',
        org_id: owner.orgId,
        user_id: owner.userId,
        fields: ['llm_profiles'],
      });
    });
  }
}

function toConfig({ model, baseUrl, apiKey }: LlmProfile): LlmProfileConfig {
  return { model, base_url: baseUrl, api_key_set: apiKey !== null };
}
