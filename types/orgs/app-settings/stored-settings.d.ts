import { type EntityManager, Repository } from 'typeorm';
import { OrgAppSettingsRow, UserAppSettingsRow, UserOrgAppSettingsRow } from '../record/app-settings.entity';
/** Settings as read: no time of a save when there was none yet. */
export type StoredOrgSettings = Omit<OrgAppSettingsRow, 'updatedAt'> & {
    readonly updatedAt: Date | null;
};
export type StoredUserSettings = Omit<UserAppSettingsRow, 'updatedAt'> & {
    readonly updatedAt: Date | null;
};
/** Reads the settings of organizations and of people; the defaults until they are first saved. */
export declare class StoredSettings {
    private readonly orgs;
    private readonly users;
    private readonly usersInOrgs;
    constructor(orgs: Repository<OrgAppSettingsRow>, users: Repository<UserAppSettingsRow>, usersInOrgs: Repository<UserOrgAppSettingsRow>);
    /** @param transaction to read in; a read of its own without one */
    ofOrg(orgId: string, transaction?: EntityManager): Promise<StoredOrgSettings>;
    /**
     * @param orgId those that hold in this organization: saved for it, or else everywhere; null for the latter
     * @param transaction to read in; a read of its own without one
     */
    ofUser(userId: string, orgId: string | null, transaction?: EntityManager): Promise<StoredUserSettings>;
}
