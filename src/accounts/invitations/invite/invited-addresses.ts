import { emailAddressIn } from '../../../kernel/validation';
import type { InvitationFailure } from '../record/invite.dto';

/** An address of a batch. */
export interface InvitedAddress {
  /** As the request has it. */
  readonly spelling: string;
  /** The address to store, compare and mail. */
  readonly email: string;
  /** It occurs earlier in the batch already. */
  readonly repeated: boolean;
}

const SENTENCES: Record<InvitationFailure['code'], string> = {
  already_member: 'This address belongs to a member of the organization already.',
  duplicate_in_batch: 'This address stands in the request more than once.',
};

/** The one spelling of an address that was found valid: without name and white space, in lower case. */
export function canonicalEmail(spelling: string): string {
  return emailAddressIn(spelling).toLowerCase().normalize('NFC');
}

/** Reads the addresses of a batch, in its order. */
export function invitedAddresses(spellings: readonly string[]): InvitedAddress[] {
  const seen = new Set<string>();
  return spellings.map((spelling) => {
    const email = canonicalEmail(spelling);
    const repeated = seen.has(email);
    seen.add(email);
    return { spelling, email, repeated };
  });
}

/** The addresses that are not invited and why, in the order of the request. */
export function failuresAmong(
  addresses: readonly InvitedAddress[],
  members: ReadonlySet<string>,
): InvitationFailure[] {
  return addresses.flatMap(({ spelling, email, repeated }) => {
    if (repeated) return [failure(spelling, 'duplicate_in_batch')];
    return members.has(email) ? [failure(spelling, 'already_member')] : [];
  });
}

function failure(email: string, code: InvitationFailure['code']): InvitationFailure {
  return { email, error: SENTENCES[code], code };
}
