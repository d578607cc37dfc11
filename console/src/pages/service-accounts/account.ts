import type { Schemas } from '../../api/client';
import { nameOf } from '../../parts/members';
import { texts } from '../../text';

export type Account = Schemas['ServiceAccountResponse'];

/** What the owner of a service account is called. */
export function ownerName({ owner }: Pick<Account, 'owner'>): string {
  return owner === null ? texts.serviceAccounts.noOwner : nameOf(owner);
}
