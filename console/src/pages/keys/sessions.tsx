import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { When } from '../../parts/show';
import { type Column, DataTable, RowAction, RowActions } from '../../parts/table';
import { ago, dateTime, say, texts } from '../../text';
import { browserOf } from '../../parts/browser';
import { keyName } from '../../parts/key-columns';
import type { Credentials } from './keys';

type Session = Schemas['BrowserSessionResponse'];

/** The browsers that the person is signed in with. */
export function Sessions({ keys, sessions, onEnded }: Credentials & { onEnded: () => void }): JSX.Element {
  const [ending, setEnding] = useState<Session>();
  const columns: readonly Column<Session>[] = [
    { key: 'browser', name: texts.keys.browser, isHeader: true, show: (session) => <Name of={session} /> },
    { key: 'since', name: texts.keys.signedIn, show: ({ created_at }) => <When at={created_at} /> },
    {
      key: 'key',
      name: texts.keys.startedWith,
      show: ({ api_key_id }) => keyName(keys.find(({ id }) => id === api_key_id) ?? unlisted(api_key_id)),
    },
    { key: 'used', name: texts.keys.lastUsed, show: ({ last_used_at }) => <When at={last_used_at} /> },
    { key: 'ends', name: texts.keys.ends, show: ({ expires_at }) => dateTime(expires_at) },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (session) => (
        <RowActions>
          <RowAction label={texts.keys.end} of={sessionName(session)} onClick={() => setEnding(session)} />
        </RowActions>
      ),
    },
  ];
  return (
    <Section title={texts.keys.sessions}>
      <p>{texts.keys.sessionsAbout}</p>
      <DataTable
        caption={texts.keys.sessions}
        rows={sessions}
        idOf={({ id }) => String(id)}
        columns={columns}
      />
      {ending !== undefined && (
        <End session={ending} onEnded={onEnded} onClose={() => setEnding(undefined)} />
      )}
    </Section>
  );
}

const unlisted = (id: number): { id: number; name: null } => ({ id, name: null });

/** What tells a session from others. */
function sessionName({ user_agent, is_current, created_at }: Session): string {
  const since = is_current ? texts.keys.thisOne : say(texts.keys.signedInAgo, { ago: ago(created_at) });
  return `${browserOf(user_agent)}, ${since}`;
}

function Name({ of: { user_agent, is_current } }: { of: Session }): JSX.Element {
  return (
    <span title={user_agent ?? undefined}>
      {browserOf(user_agent)} {is_current && <mark>{texts.keys.thisOne}</mark>}
    </span>
  );
}

function End(props: { session: Session; onEnded: () => void; onClose: () => void }): JSX.Element {
  const { header } = useOrganization();
  const { id, is_current } = props.session;
  return (
    <Confirm
      title={texts.keys.endTitle}
      label={texts.keys.endButton}
      action={async () => {
        const params = { header, path: { session_id: String(id) } };
        await bodyOf(api.DELETE('/api/sessions/{session_id}', { params }));
        if (is_current) location.reload();
        else {
          announce(texts.keys.ended);
          props.onEnded();
        }
      }}
      onClose={props.onClose}
    >
      <p>{is_current ? texts.keys.endOwn : say(texts.keys.endText, { name: sessionName(props.session) })}</p>
    </Confirm>
  );
}
