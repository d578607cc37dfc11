import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { OrgResolution, PermissionTable } from '../../auth';
import { RequestValidation } from './request-validation';
import { RouteDeclarations } from './route-declarations';
/**
 * The second check of a request: determines the organization it acts in, and checks that the caller is a
 * member with the permission the route declares. Faults of reading the body and malformed organization ids
 * come before that, all other validation faults after it (docs/contract.md#order-of-checks).
 */
export declare class OrganizationGuard implements CanActivate {
    private readonly routes;
    private readonly validation;
    private readonly organizations;
    private readonly permissions;
    constructor(routes: RouteDeclarations, validation: RequestValidation, organizations: OrgResolution, permissions: PermissionTable);
    /** @throws ValidationError, AppError */
    canActivate(context: ExecutionContext): Promise<boolean>;
    private checkOrganization;
    private organizationOf;
}
