import { type FindOperator, IsNull } from 'typeorm';
import type { Owner } from '../../common';

/** Where rows with the columns `userId` and `orgId` belong to exactly this owner. */
export function ownedBy({ userId, orgId }: Owner): {
  readonly userId: string | FindOperator<string>;
  readonly orgId: string | FindOperator<string>;
} {
  return { userId: userId ?? IsNull(), orgId: orgId ?? IsNull() };
}
