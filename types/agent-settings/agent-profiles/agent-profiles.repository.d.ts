import { type EntityManager, Repository } from 'typeorm';
import { type Owner } from '../../common';
import type { ProfileFilter, ProfileStore } from '../record/profiles.service';
import { AgentProfileRow } from './agent-profile.entity';
/** Agent profiles of users and organizations. */
export declare class AgentProfilesRepository implements ProfileStore<AgentProfileRow> {
    private readonly profiles;
    constructor(profiles: Repository<AgentProfileRow>);
    lock(transaction: EntityManager, { userId, orgId }: Owner): Promise<void>;
    of(owners: readonly Owner[], { name, ...others }?: ProfileFilter, transaction?: EntityManager): Promise<AgentProfileRow[]>;
    count(transaction: EntityManager, owner: Owner): Promise<number>;
    save(transaction: EntityManager, profile: AgentProfileRow): Promise<void>;
    activate(transaction: EntityManager, owner: Owner, id: string): Promise<void>;
    delete(transaction: EntityManager, id: string): Promise<void>;
    private rows;
}
