import { DataSource } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import type { ProfileScope } from '../record/profile-scope';
import type { ProfileChanged } from '../record/profile.dto';
import { ProfilesService } from '../record/profiles.service';
import type { AgentProfileRow } from './agent-profile.entity';
import type { AgentProfileDetail, AgentProfileList, AgentProfileSave } from './agent-profiles.dto';
import { AgentProfilesRepository } from './agent-profiles.repository';
/** Agent profiles of users and organizations (docs/contract.md#profiles). */
export declare class AgentProfilesService extends ProfilesService<AgentProfileRow> {
    constructor(database: DataSource, profiles: AgentProfilesRepository, events: DomainEvents);
    list(scope: ProfileScope): Promise<AgentProfileList>;
    /** @throws ProfileNotFoundError */
    get(scope: ProfileScope, name: string): Promise<AgentProfileDetail>;
    /** Creates or updates a profile; absent fields stay. @throws TooManyProfilesError */
    save(scope: ProfileScope, name: string, given: AgentProfileSave): Promise<ProfileChanged>;
    /**
     * Makes new conversations start with a profile.
     * @param key its id or its name
     * @throws ProfileNotFoundError, ProfileOfAllOrganizationsError
     */
    activate(scope: ProfileScope, key: string): Promise<ProfileChanged>;
    protected renamed(profile: AgentProfileRow, name: string): AgentProfileRow;
}
