import type { JSX } from 'preact';
import { ApiError } from '../api/api-error';
import { api, bodyOf } from '../api/client';
import { type Organization, useOrganization } from '../app/organization';
import { texts } from '../text';
import type { Member } from './members';
import { Suggested } from './suggested';

/** How many members are offered. */
const OFFERED = 10;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The control of a field for the address of a member: those who are found by what is typed are offered. */
export function MemberInput(
  props: Omit<Parameters<typeof Suggested>[0], 'search' | 'maxLength'>,
): JSX.Element {
  const organization = useOrganization();
  return (
    <Suggested
      {...props}
      maxLength={320}
      search={async (typed, signal) =>
        (await found(organization, typed, signal)).flatMap(({ email }) => email ?? [])
      }
    />
  );
}

/**
 * Whom an address means; an id of a user, who may have left, stands for itself.
 * @param field that is said to be wrong where it means nobody
 * @returns the id of the user
 * @throws ApiError of the field
 */
export async function memberOf(organization: Organization, typed: string, field: string): Promise<string> {
  if (ID.test(typed)) return typed.toLowerCase();
  const members = await found(organization, typed);
  const member = members.find(({ email }) => email?.toLowerCase() === typed.toLowerCase());
  if (member === undefined) throw ApiError.ofField(field, texts.people.noSuchMember);
  return member.user_id;
}

/** Members whose name or address has a text; none for who may not see members. */
async function found(
  { id: org_id, can }: Organization,
  search: string,
  signal?: AbortSignal,
): Promise<readonly Member[]> {
  if (!can('view_org_settings')) return [];
  const params = { path: { org_id }, query: { search, limit: OFFERED } };
  const call = api.GET('/api/organizations/{org_id}/members', { params, ...(signal && { signal }) });
  return (await bodyOf(call)).items;
}
