import type { Schemas } from '../../api/client';
import type { Organization } from '../../app/organization';
import { nameOf } from '../../parts/members';
import { texts } from '../../text';

export type Account = Schemas['ServiceAccountResponse'];

/** What the owner of a service account is called. */
export function ownerName({ owner }: Pick<Account, 'owner'>): string {
  return owner === null ? texts.serviceAccounts.noOwner : nameOf(owner);
}

/** What a member is called of whom an id is known: the id, unless they are the caller or the owner of the account. */
export function memberName({ me }: Organization, { owner }: Account, id: string | null): string {
  const unnamed = { user_id: id ?? texts.serviceAccounts.makerGone, name: null, email: null };
  return nameOf([me, owner].find((known) => known?.user_id === id) ?? unnamed);
}
