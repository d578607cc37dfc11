import { type Caller, type OrgContext } from '../../auth';
import { OrganizationPage, OrganizationResponse, OrganizationUpdate, OrgPath, PageQuery } from './organizations.dto';
import { OrganizationsService } from './organizations.service';
export declare class OrganizationsController {
    private readonly organizations;
    constructor(organizations: OrganizationsService);
    listOrganizations(caller: Caller, query: PageQuery): Promise<OrganizationPage>;
    getOrganization(_path: OrgPath, caller: Caller, org: OrgContext): Promise<OrganizationResponse>;
    renameOrganization(_path: OrgPath, caller: Caller, org: OrgContext, body: OrganizationUpdate): Promise<OrganizationResponse>;
    switchOrganization(_path: OrgPath, caller: Caller, org: OrgContext): Promise<OrganizationResponse>;
}
