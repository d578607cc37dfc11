import { Injectable } from '@nestjs/common';
import { newId, parseUuid, storableOrNull } from '../../../kernel/common';
import { filled } from '../model-settings/model-fields';
import type { ProfileScope } from '../record/profile-scope';
import type { ProfileChanged } from '../record/profile.dto';
import { ProfilesService, ProfilesRepository } from '../record/profiles.service';
import { AgentProfileRow } from './agent-profile.entity';
import type {
  AgentProfileDetail,
  AgentProfileInfo,
  AgentProfileList,
  AgentProfileSave,
} from './agent-profiles.dto';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainEvents } from '../../../kernel/domain-events';

/** Agent profiles of users and organizations, which have no secrets. */
@Injectable()
export class AgentProfilesRepository extends ProfilesRepository<AgentProfileRow> {
  constructor(@InjectRepository(AgentProfileRow) stored: Repository<AgentProfileRow>, events: DomainEvents) {
    super(stored, events, 'agent_profiles');
  }

  protected opened(row: AgentProfileRow): AgentProfileRow {
    return row;
  }

  protected sealed(profile: AgentProfileRow): AgentProfileRow {
    return profile;
  }
}

/** Agent profiles of users and organizations (docs/contract.md#profiles). */
@Injectable()
export class AgentProfilesService extends ProfilesService<AgentProfileRow> {
  constructor(protected readonly profiles: AgentProfilesRepository) {
    super();
  }

  async list(scope: ProfileScope): Promise<AgentProfileList> {
    const { profiles, active } = await this.visible(scope);
    return { profiles: profiles.map(toInfo), active_agent_profile_id: active?.id ?? null };
  }

  /** @throws ProfileNotFoundError */
  async get(scope: ProfileScope, name: string): Promise<AgentProfileDetail> {
    return { name, profile: toInfo(await this.find(scope, name)) };
  }

  /** Creates or updates a profile; absent fields stay. @throws TooManyProfilesError */
  save(scope: ProfileScope, name: string, given: AgentProfileSave): Promise<ProfileChanged> {
    const ref = given.profile?.llm_profile_ref ?? given.llm_profile_ref;
    return this.put(scope, name, (before) => ({
      ...scope.owner,
      name,
      id: before?.id ?? newId(),
      llmProfileRef: ref === undefined ? (before?.llmProfileRef ?? null) : storableOrNull(filled(ref)),
      revision: (before?.revision ?? 0) + 1,
      isActive: before?.isActive ?? false,
    }));
  }

  /**
   * Makes new conversations start with a profile.
   * @param key its id or its name
   * @throws ProfileNotFoundError, ProfileOfAllOrganizationsError
   */
  async activate(scope: ProfileScope, key: string): Promise<ProfileChanged> {
    const id = parseUuid(key);
    const name = await this.makeActive(scope, id === null ? { name: key } : { id });
    return { name, message: 'Conversations start with this profile from now on.' };
  }

  protected renamed(profile: AgentProfileRow, name: string): AgentProfileRow {
    return Object.assign(profile, { name, revision: profile.revision + 1 });
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
