import type { JSX } from 'preact';
import { api, bodyOf, CONSOLE } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Confirm } from '../../parts/modal';
import { TextList } from '../../parts/show';
import { say, texts } from '../../text';

/** Asks before the caller leaves the organization; says why they cannot, as the last owner. */
export function Leave({ onClose }: { onClose: () => void }): JSX.Element {
  const { id, name, me } = useOrganization();
  return (
    <Confirm
      title={say(texts.people.leaveTitle, { name })}
      label={texts.people.leave}
      action={async () => {
        const params = { path: { org_id: id, user_id: me.user_id } };
        await bodyOf(api.DELETE('/api/organizations/{org_id}/members/{user_id}', { params }));
        // The session may have ended with it: the service decides what comes now.
        location.assign(CONSOLE);
      }}
      onClose={onClose}
    >
      <TextList of={texts.people.leaving} />
    </Confirm>
  );
}
