import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { MemberInput, memberOf } from '../../parts/member-input';
import { invitableRoles } from '../../parts/members';
import { Confirm } from '../../parts/modal';
import { roleBody, RoleField, useGivableRoles } from '../../parts/role-field';
import { texts } from '../../text';
import type { Account } from './account';

/** A form for a new service account, or for changing one. */
export function AccountForm(props: {
  title: string;
  account?: Account;
  save: (body: Schemas['ServiceAccountCreate']) => Promise<unknown>;
  onClose: () => void;
}): JSX.Element {
  const { title, account, save, onClose } = props;
  const organization = useOrganization();
  const own = useGivableRoles(account?.own_role);
  const role = account?.own_role?.id ?? account?.role ?? 'member';
  const owner = account === undefined ? (organization.me.email ?? '') : (account.owner?.email ?? '');
  return (
    <Confirm
      title={title}
      label={texts.serviceAccounts.save}
      action={async (value) => {
        const typed = value('owner');
        await save({
          name: value('name'),
          ...(value('role') !== role && roleBody(value('role'), own)),
          ...(typed !== owner && {
            owner_user_id: await memberOf(organization, typed, 'body.owner_user_id'),
          }),
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
            label={texts.serviceAccounts.role}
            roles={invitableRoles(organization).filter((role) => role !== 'owner')}
            hints={texts.people.serviceAccountRole}
            chosen={role}
            {...{ own, error }}
          />
          <Field
            label={texts.serviceAccounts.owner}
            hint={texts.serviceAccounts.ownerHint}
            error={error}
            field="body.owner_user_id"
          >
            <MemberInput name="owner" required={owner !== ''} defaultValue={owner} />
          </Field>
        </>
      )}
    </Confirm>
  );
}
