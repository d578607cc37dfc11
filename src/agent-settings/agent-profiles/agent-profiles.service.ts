import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { nearestFirst, newId, parseUuid, storableOrNull } from '../../common';
import { DomainEvents } from '../../domain-events';
import type { ProfileChanged } from '../llm-profiles/llm-profiles.dto';
import { filled } from '../record/model-fields';
import { ProfileExistsError, ProfileNotFoundError, TooManyProfilesError } from '../record/profile-errors';
import { MAX_PROFILES } from '../record/profile-fields';
import { changeable, nearestByName, type ProfileScope } from '../record/profile-scope';
import type { AgentProfileRow } from './agent-profile.entity';
import type {
  AgentProfileDetail,
  AgentProfileInfo,
  AgentProfileList,
  AgentProfileSave,
} from './agent-profiles.dto';
import { AgentProfilesRepository } from './agent-profiles.repository';

/** Agent profiles of users (docs/contract.md#profiles). */
@Injectable()
export class AgentProfilesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly profiles: AgentProfilesRepository,
    private readonly events: DomainEvents,
  ) {}

  async list({ seen }: ProfileScope): Promise<AgentProfileList> {
    const all = await this.profiles.of(seen);
    const [active] = all.filter(({ isActive }) => isActive).sort(nearestFirst);
    return { profiles: nearestByName(all).map(toInfo), active_agent_profile_id: active?.id ?? null };
  }

  /** @throws ProfileNotFoundError */
  async get({ seen }: ProfileScope, name: string): Promise<AgentProfileDetail> {
    const [profile] = nearestByName(await this.profiles.of(seen, { name }));
    if (profile === undefined) throw new ProfileNotFoundError();
    return { name, profile: toInfo(profile) };
  }

  /** Adds a profile or changes it: what is absent stays. @throws TooManyProfilesError */
  async save(scope: ProfileScope, name: string, given: AgentProfileSave): Promise<ProfileChanged> {
    const { owner } = scope;
    const ref = given.profile?.llm_profile_ref ?? given.llm_profile_ref;
    await this.change(scope, async (transaction) => {
      const [before] = await this.profiles.of([owner], { name }, transaction);
      if (before === undefined && (await this.profiles.count(transaction, owner)) >= MAX_PROFILES)
        throw new TooManyProfilesError(MAX_PROFILES);
      await this.profiles.save(transaction, {
        ...owner,
        name,
        id: before?.id ?? newId(),
        llmProfileRef: ref === undefined ? (before?.llmProfileRef ?? null) : storableOrNull(filled(ref)),
        revision: (before?.revision ?? 0) + 1,
        isActive: before?.isActive ?? false,
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
      const changed = { name: newName, revision: profile.revision + 1 };
      await this.profiles.save(transaction, Object.assign(profile, changed));
    });
    return { name: newName, message: 'The profile was renamed.' };
  }

  /**
   * Has conversations start with it.
   * @param key its id or its name
   * @throws ProfileNotFoundError, ProfileOfAllOrganizationsError
   */
  async activate(scope: ProfileScope, key: string): Promise<ProfileChanged> {
    const id = parseUuid(key);
    const where = id === null ? { name: key } : { id };
    return this.change(scope, async (transaction) => {
      const profile = changeable(scope, await this.profiles.of(scope.seen, where, transaction));
      await this.profiles.activate(transaction, scope.owner, profile.id);
      return { name: profile.name, message: 'Conversations start with this profile from now on.' };
    });
  }

  /** @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
  async delete(scope: ProfileScope, name: string): Promise<ProfileChanged> {
    await this.change(scope, async (transaction) => {
      const { id } = changeable(scope, await this.profiles.of(scope.seen, { name }, transaction));
      await this.profiles.delete(transaction, id);
    });
    return { name, message: 'The profile was deleted.' };
  }

  private change<T>({ owner }: ProfileScope, work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.database.transaction(async (transaction) => {
      await this.profiles.lock(transaction, owner);
      const result = await work(transaction);
      await this.events.publish(transaction, {
        kind: 'settings.updated',
        org_id: owner.orgId,
        user_id: owner.userId,
        fields: ['agent_profiles'],
      });
      return result;
    });
  }
}

function toInfo({ id, name, revision, llmProfileRef }: AgentProfileRow): AgentProfileInfo {
  return {
    id,
    name,
    agent_kind: 'openhands',
    revision,
    llm_profile_ref: llmProfileRef,
    mcp_server_refs: [],
  };
}
