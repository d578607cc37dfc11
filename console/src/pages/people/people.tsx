import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useOrganization } from '../../app/organization';
import { Page } from '../../parts/page';
import { texts } from '../../text';
import { Invitations } from './invitations';
import { Invite } from './invite';
import { Leave } from './leave';
import { Members } from './members';
import { OrgSessions } from './sessions';

/** The members of the organization and, for who may invite, its open invitations. */
export default function People(): JSX.Element {
  const { can } = useOrganization();
  const [open, setOpen] = useState<'invite' | 'leave'>();
  const [batches, setBatches] = useState(0);
  const mayInvite = can('invite_user_to_organization');
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={texts.menu.people}
      actions={
        <div class="buttons">
          <button type="button" class="secondary outline" onClick={() => setOpen('leave')}>
            {texts.people.leave}
          </button>
          {mayInvite && (
            <button type="button" onClick={() => setOpen('invite')}>
              {texts.people.invite}
            </button>
          )}
        </div>
      }
    >
      <Members />
      {mayInvite && <Invitations batches={batches} />}
      {can('manage_sessions') && <OrgSessions />}
      {open === 'invite' && <Invite onInvited={() => setBatches((of) => of + 1)} onClose={close} />}
      {open === 'leave' && <Leave onClose={close} />}
    </Page>
  );
}
