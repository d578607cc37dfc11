import { DataSource } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import type { ProfileScope } from '../record/profile-scope';
import type { ProfileChanged } from '../record/profile.dto';
import { ProfilesService } from '../record/profiles.service';
import type { LlmProfileDetail, LlmProfileList, LlmProfileModel } from './llm-profiles.dto';
import { type LlmProfile, LlmProfilesRepository } from './llm-profiles.repository';
/** Model profiles of users and organizations (docs/contract.md#profiles). */
export declare class LlmProfilesService extends ProfilesService<LlmProfile> {
    constructor(database: DataSource, profiles: LlmProfilesRepository, events: DomainEvents);
    list(scope: ProfileScope): Promise<LlmProfileList>;
    /** @throws ProfileNotFoundError */
    get(scope: ProfileScope, name: string): Promise<LlmProfileDetail>;
    /** Creates or updates a profile. @throws TooManyProfilesError */
    save(scope: ProfileScope, name: string, given: LlmProfileModel): Promise<ProfileChanged>;
    /** Makes the owner's conversations run on a profile. @throws ProfileNotFoundError, ProfileOfAllOrganizationsError */
    activate(scope: ProfileScope, name: string): Promise<ProfileChanged>;
    protected renamed(profile: LlmProfile, name: string): LlmProfile;
}
