import type { JSX } from 'preact';
import { ApiError } from '../../api/api-error';
import { api, bodyOf, type Schemas } from '../../api/client';
import { type Organization, useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { invitableRoles } from '../../parts/members';
import { Confirm } from '../../parts/modal';
import { roleBody, RoleField, useGivableRoles } from '../../parts/role-field';
import { Suggested } from '../../parts/suggested';
import { texts } from '../../text';
import type { Account } from './account';

/** How many members are offered as the owner. */
const OFFERED = 10;

/** A form for a new service account, or for changing one. */
export function AccountForm(props: {
  title: string;
  account?: Account;
  save: (body: Schemas['ServiceAccountCreate']) => Promise<unknown>;
  onClose: () => void;
}): JSX.Element {
  const { title, account, save, onClose } = props;
  const organization = useOrganization();
  const own = useGivableRoles();
  const owner = account === undefined ? (organization.me.email ?? '') : (account.owner?.email ?? '');
  return (
    <Confirm
      title={title}
      label={texts.serviceAccounts.save}
      action={async (value) => {
        const typed = value('owner');
        await save({
          name: value('name'),
          ...roleBody(value('role'), own),
          ...(typed !== owner && { owner_user_id: await memberOf(organization, typed) }),
        });
      }}
      onClose={onClose}
    >
      {(error: Error | undefined) => (
        <>
          <Field label={texts.serviceAccounts.name} error={error} field="body.name">
            <input
              name="name"
              required
              autofocus
              maxLength={200}
              autocomplete="off"
              dir="auto"
              defaultValue={account?.name}
            />
          </Field>
          <RoleField
            key={own.length}
            label={texts.serviceAccounts.role}
            roles={invitableRoles(organization).filter((role) => role !== 'owner')}
            hints={texts.people.serviceAccountRole}
            chosen={account?.own_role?.id ?? account?.role ?? 'member'}
            {...{ own, error }}
          />
          <Field
            label={texts.serviceAccounts.owner}
            hint={texts.serviceAccounts.ownerHint}
            error={error}
            field="body.owner_user_id"
          >
            <Suggested
              name="owner"
              maxLength={320}
              required={owner !== ''}
              defaultValue={owner}
              search={async (typed, signal) =>
                (await found(organization, typed, signal)).flatMap(({ email }) => email ?? [])
              }
            />
          </Field>
        </>
      )}
    </Confirm>
  );
}

async function found(
  { id: org_id }: Organization,
  search: string,
  signal?: AbortSignal,
): Promise<readonly Schemas['OrgMemberResponse'][]> {
  const params = { path: { org_id }, query: { search, limit: OFFERED } };
  const call = api.GET('/api/organizations/{org_id}/members', { params, ...(signal && { signal }) });
  return (await bodyOf(call)).items;
}

/** @returns the id of the member with an address @throws ApiError of the field where there is none */
async function memberOf(organization: Organization, address: string): Promise<string> {
  const members = await found(organization, address);
  const member = members.find(({ email }) => email?.toLowerCase() === address.toLowerCase());
  if (member === undefined) throw ApiError.ofField('body.owner_user_id', texts.serviceAccounts.ownerUnknown);
  return member.user_id;
}
