import type { Response } from 'express';
import { type Caller, type OrgContext } from '../../auth';
import { CurrentUser, CurrentUserQuery } from './current-user.dto';
import { CurrentUserService } from './current-user.service';
export declare class CurrentUserController {
    private readonly users;
    constructor(users: CurrentUserService);
    getCurrentUser(caller: Caller, org: OrgContext, sandboxKey: string | null, query: CurrentUserQuery, response: Response): Promise<CurrentUser>;
}
