import { DataSource, Repository } from 'typeorm';
import { AuthCaches, type Caller, type OrgContext } from '../../auth';
import { Organization } from '../record/organization.entity';
import { User } from '../record/user.entity';
import type { OrganizationPage, OrganizationResponse, PageQuery } from './organizations.dto';
/** The organizations of users. */
export declare class OrganizationsService {
    private readonly database;
    private readonly organizations;
    private readonly users;
    private readonly caches;
    constructor(database: DataSource, organizations: Repository<Organization>, users: Repository<User>, caches: AuthCaches);
    /** The caller's organizations by id; with a bound key that one only. */
    list(caller: Caller, query: PageQuery): Promise<OrganizationPage>;
    /** The organization as the caller sees it. */
    get(caller: Caller, org: OrgContext): Promise<OrganizationResponse>;
    rename(caller: Caller, org: OrgContext, name: string): Promise<OrganizationResponse>;
    /**
     * Makes the organization the one that requests without a selector act in. A bound key acts in its own anyway, and
     * moves nothing for the user's other keys.
     */
    switchTo(caller: Caller, org: OrgContext): Promise<OrganizationResponse>;
}
