import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Confirm, DialogForm, Modal } from '../../parts/modal';
import { Secret } from '../../parts/show';
import { dateTime, say, texts } from '../../text';

type Invitation = Schemas['InvitationResponse'];

interface DialogProps {
  readonly invitation: Invitation;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function usePathOf({ id }: Invitation): { path: { org_id: string; invitation_id: string } } {
  return { path: { org_id: useOrganization().id, invitation_id: String(id) } };
}

/** The link of an invitation, to be handed over where no mail is sent. */
export function LinkOf({ invitation, onClose }: DialogProps): JSX.Element {
  return (
    <Modal title={say(texts.people.linkOf, { email: invitation.email })} onClose={onClose}>
      <Link of={invitation} />
    </Modal>
  );
}

function Link({ of }: { of: Invitation }): JSX.Element {
  return (
    <Secret
      name={texts.people.linkToCopy}
      value={of.invite_url ?? ''}
      note={say(texts.people.linkOfNote, { time: dateTime(of.expires_at) })}
    />
  );
}

/** Renews an invitation; where no mail is sent, shows its new link. */
export function Renew({ invitation, onChanged, onClose }: DialogProps): JSX.Element {
  const params = usePathOf(invitation);
  const { email } = invitation;
  const [renewed, setRenewed] = useState<Invitation>();
  return (
    <Modal title={say(texts.people.renewTitle, { email })} onClose={onClose}>
      {renewed === undefined ? (
        <DialogForm
          label={texts.people.renew}
          action={async () => {
            const path = '/api/organizations/{org_id}/members/invite/{invitation_id}/resend';
            const now = await bodyOf(api.POST(path, { params }));
            onChanged();
            if (now.mail_status === 'none') setRenewed(now);
            else {
              announce(say(texts.people.renewed, { email }));
              onClose();
            }
          }}
          onCancel={onClose}
        >
          <p>{texts.people.renewText}</p>
        </DialogForm>
      ) : (
        <Link of={renewed} />
      )}
    </Modal>
  );
}

/** Revokes an invitation. */
export function Revoke({ invitation, onChanged, onClose }: DialogProps): JSX.Element {
  const params = usePathOf(invitation);
  const { email } = invitation;
  return (
    <Confirm
      title={say(texts.people.revokeTitle, { email })}
      label={texts.people.revokeButton}
      action={async () => {
        const path = '/api/organizations/{org_id}/members/invite/{invitation_id}';
        await bodyOf(api.DELETE(path, { params }));
        announce(say(texts.people.revoked, { email }));
        onChanged();
      }}
      onClose={onClose}
    >
      <p>{texts.people.revokeText}</p>
    </Confirm>
  );
}
