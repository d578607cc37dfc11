import type { JSX } from 'preact';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Confirm } from '../../parts/modal';
import { count, say, texts } from '../../text';
import { type Key, keyName } from '../../parts/key-columns';
import type { Credentials } from './keys';

/** Revokes a key, after it is said which sessions end with it. */
export function RevokeKey(
  props: Credentials & { revoked: Key; onRevoked: () => void; onClose: () => void },
): JSX.Element {
  const { revoked } = props;
  const { header } = useOrganization();
  const sessions = props.sessions.filter(({ api_key_id }) => api_key_id === revoked.id).length;
  const isOwn = props.current.id === revoked.id;
  return (
    <Confirm
      title={say(texts.keys.revokeTitle, { name: keyName(revoked) })}
      label={texts.keys.revokeButton}
      action={async () => {
        const params = { header, path: { key_id: String(revoked.id) } };
        await bodyOf(api.DELETE('/api/keys/{key_id}', { params }));
        if (isOwn) location.reload();
        else {
          announce(texts.keys.revoked);
          props.onRevoked();
        }
      }}
      onClose={props.onClose}
    >
      <p>{texts.keys.revokeText}</p>
      {sessions > 0 && <p>{count(sessions, texts.keys.revokeSessions)}</p>}
      {isOwn && (
        <p>
          <strong>{texts.keys.revokeOwn}</strong>
        </p>
      )}
    </Confirm>
  );
}
