import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { texts } from '../../text';

/** What became of the mail of an invitation, and why it is late or did not go out. */
export function MailState({ of }: { of: Schemas['InvitationResponse'] }): JSX.Element {
  return (
    <>
      {texts.people.mailStates[of.mail_status]}
      {of.mail_detail !== null && <small class="below">{of.mail_detail}</small>}
    </>
  );
}
