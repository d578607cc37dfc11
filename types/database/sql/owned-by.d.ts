import { type FindOperator } from 'typeorm';
import type { Owner } from '../../common';
/** Where rows with the columns `userId` and `orgId` belong to exactly this owner. */
export declare function ownedBy({ userId, orgId }: Owner): {
    readonly userId: string | FindOperator<string>;
    readonly orgId: string | FindOperator<string>;
};
