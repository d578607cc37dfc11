import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { useLoad } from '../../parts/load';
import { Section } from '../../parts/page';
import { When } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, NextPages, RowAction, RowActions } from '../../parts/table';
import { texts } from '../../text';
import { LinkOf, Renew, Revoke } from './invitation-dialogs';
import { MailState } from './mail-state';

type Invitation = Schemas['InvitationResponse'];

const PER_PAGE = 50;

/** What a row of the list asks for. */
interface Asked {
  readonly what: 'link' | 'renewal' | 'revocation';
  readonly invitation: Invitation;
}

/**
 * The invitations of the organization that can be accepted, for who may invite.
 * @param props.batches how often people were invited on this page
 */
export function Invitations({ batches }: { batches: number }): JSX.Element {
  const { id } = useOrganization();
  const { query, change } = useAddress();
  const [asked, setAsked] = useState<Asked>();
  const pageId = query['invitations'] ?? null;
  const invitations = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/members/invite', {
          params: { path: { org_id: id }, query: { page_id: pageId, limit: PER_PAGE } },
          signal,
        }),
      ),
    [id, pageId, batches],
  );
  const dialog = asked && {
    invitation: asked.invitation,
    onChanged: invitations.reload,
    onClose: () => setAsked(undefined),
  };
  return (
    <Section title={texts.people.invitations}>
      <Shown of={invitations}>
        {({ items, next_page_id }) => (
          <>
            {items.length === 0 ? (
              <Empty>{texts.people.noInvitations}</Empty>
            ) : (
              <DataTable
                caption={texts.people.invitations}
                rows={items}
                idOf={(invitation) => String(invitation.id)}
                columns={columns(setAsked)}
              />
            )}
            <NextPages
              name={texts.people.invitations}
              pageId={pageId}
              nextPageId={next_page_id}
              onPage={(next) => change({ invitations: next })}
            />
          </>
        )}
      </Shown>
      {dialog && asked.what === 'link' && <LinkOf {...dialog} />}
      {dialog && asked.what === 'renewal' && <Renew {...dialog} />}
      {dialog && asked.what === 'revocation' && <Revoke {...dialog} />}
    </Section>
  );
}

function columns(ask: (asked: Asked) => void): readonly Column<Invitation>[] {
  return [
    { key: 'email', name: texts.people.address, isHeader: true, show: ({ email }) => email },
    { key: 'role', name: texts.people.role, show: ({ role }) => texts.console.roles[role] },
    { key: 'mail', name: texts.people.mail, show: (invitation) => <MailState of={invitation} /> },
    { key: 'until', name: texts.people.until, show: ({ expires_at }) => <When at={expires_at} /> },
    { key: 'inviter', name: texts.people.inviter, show: ({ inviter_email }) => inviter_email },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (invitation) => <Actions invitation={invitation} onAsk={(what) => ask({ what, invitation })} />,
    },
  ];
}

/** Where the caller may not invite with the role, the link is not theirs to see, nor the invitation to renew. */
function Actions(props: { invitation: Invitation; onAsk: (what: Asked['what']) => void }): JSX.Element {
  const { invitation, onAsk } = props;
  const of = invitation.email;
  return (
    <RowActions>
      {invitation.invite_url !== null && (
        <>
          <RowAction label={texts.people.link} of={of} onClick={() => onAsk('link')} />
          <RowAction label={texts.people.renew} of={of} onClick={() => onAsk('renewal')} />
        </>
      )}
      <RowAction label={texts.people.revoke} of={of} onClick={() => onAsk('revocation')} />
    </RowActions>
  );
}
