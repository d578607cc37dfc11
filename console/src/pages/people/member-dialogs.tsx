import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { useLoad } from '../../parts/load';
import { Confirm, DialogForm, Modal } from '../../parts/modal';
import { Secret } from '../../parts/show';
import { dateTime, say, texts } from '../../text';
import { Effects } from './leave';
import { type Member, nameOf, type Role, roleName } from './rights';
import { RoleField } from './role-field';

interface DialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

function usePathOf(member: Member): { path: { org_id: string; user_id: string } } {
  return { path: { org_id: useOrganization().id, user_id: member.user_id } };
}

/** Gives a member another role. */
export function ChangeRole(
  props: DialogProps & { roles: readonly Role[]; onChanged: () => void },
): JSX.Element {
  const { member, roles } = props;
  const { can } = useOrganization();
  const params = usePathOf(member);
  const name = nameOf(member);
  const { org_id } = params.path;
  const own = useLoad(
    (signal) =>
      bodyOf(api.GET('/api/organizations/{org_id}/roles', { params: { path: { org_id } }, signal })),
    [org_id],
  );
  // Nobody gives what they lack.
  const given = own.data?.items.filter(({ permissions }) => permissions.every(can)) ?? [];
  return (
    <Confirm
      title={say(texts.people.roleOf, { name })}
      label={texts.people.changeRoleButton}
      action={async (value) => {
        const role = value('role');
        const isOwn = given.some(({ id }) => id === role);
        const body = isOwn ? { own_role_id: role } : { role, own_role_id: null };
        const changed = await bodyOf(
          api.PATCH('/api/organizations/{org_id}/members/{user_id}', { params, body }),
        );
        announce(say(texts.people.roleChanged, { name, role: roleName(changed) }));
        props.onChanged();
      }}
      onClose={props.onClose}
    >
      {(error: Error | undefined) => (
        <>
          <RoleField
            key={given.length}
            label={texts.people.newRole}
            {...{ roles, error }}
            own={given}
            chosen={member.own_role?.id ?? member.role}
          />
          <p>{texts.people.roleEndsLinks}</p>
        </>
      )}
    </Confirm>
  );
}

/** Removes a member, after it is said what that does. */
export function Remove(props: DialogProps & { onRemoved: () => void }): JSX.Element {
  const params = usePathOf(props.member);
  const name = nameOf(props.member);
  return (
    <Confirm
      title={say(texts.people.removeTitle, { name })}
      label={texts.people.removeButton}
      action={async () => {
        await bodyOf(api.DELETE('/api/organizations/{org_id}/members/{user_id}', { params }));
        announce(say(texts.people.removed, { name }));
        props.onRemoved();
      }}
      onClose={props.onClose}
    >
      <Effects of={texts.people.removal} />
    </Confirm>
  );
}

/** Makes a link for who has lost their key, and shows it once. */
export function LetIn({ member, onClose }: DialogProps): JSX.Element {
  const params = usePathOf(member);
  const name = nameOf(member);
  const [link, setLink] = useState<Schemas['SignInLink']>();
  return (
    <Modal title={say(texts.people.letIn, { name })} onClose={onClose}>
      {link === undefined ? (
        <DialogForm
          label={texts.people.makeLink}
          action={async () =>
            setLink(
              await bodyOf(
                api.POST('/api/organizations/{org_id}/members/{user_id}/sign-in-link', { params }),
              ),
            )
          }
          onCancel={onClose}
        >
          <p>{texts.people.letInText}</p>
          <p>{texts.people.letInMail}</p>
        </DialogForm>
      ) : (
        <Secret
          name={say(texts.people.linkName, { name })}
          value={link.url ?? ''}
          note={say(texts.people.linkNote, { time: dateTime(link.expires_at) })}
        />
      )}
    </Modal>
  );
}
