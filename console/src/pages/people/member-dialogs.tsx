import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Confirm, DialogForm, Modal } from '../../parts/modal';
import { Secret, TextList } from '../../parts/show';
import { dateTime, say, texts } from '../../text';
import { type Member, nameOf, type Role, roleName } from '../../parts/members';
import { roleBody, RoleField, useGivableRoles } from '../../parts/role-field';

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
  const params = usePathOf(member);
  const name = nameOf(member);
  const own = useGivableRoles(member.own_role);
  return (
    <Confirm
      title={say(texts.people.roleOf, { name })}
      label={texts.people.changeRoleButton}
      action={async (value) => {
        const body = roleBody(value('role'), own);
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
            label={texts.people.newRole}
            {...{ roles, own, error }}
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
      <TextList of={texts.people.removal} />
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
