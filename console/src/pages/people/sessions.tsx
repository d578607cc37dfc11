import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { announce } from '../../parts/announce';
import { browserOf } from '../../parts/browser';
import { useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { When } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, NextPages, RowAction, RowActions } from '../../parts/table';
import { say, texts } from '../../text';
import { nameOf } from '../../parts/members';

const PER_PAGE = 25;

type Session = Schemas['OrgSessionResponse'];

/** The browsers in which members reach the organization, for who may end their sessions. */
export function OrgSessions(): JSX.Element {
  const { id } = useOrganization();
  const { query, change } = useAddress();
  const [ending, setEnding] = useState<Session>();
  const pageId = query['sessions'] ?? null;
  const sessions = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/sessions', {
          params: { path: { org_id: id }, query: { page_id: pageId, limit: PER_PAGE } },
          signal,
        }),
      ),
    [id, pageId],
  );
  return (
    <Section title={texts.people.sessions}>
      <p>{texts.people.sessionsAbout}</p>
      <Shown of={sessions}>
        {({ items, next_page_id }) => (
          <>
            {items.length === 0 ? (
              <Empty />
            ) : (
              <DataTable
                caption={texts.people.sessions}
                rows={items}
                idOf={(session) => String(session.id)}
                columns={columns(setEnding)}
              />
            )}
            <NextPages
              name={texts.people.sessions}
              pageId={pageId}
              nextPageId={next_page_id}
              onPage={(next) => change({ sessions: next })}
            />
          </>
        )}
      </Shown>
      {ending !== undefined && (
        <End session={ending} onEnded={sessions.reload} onClose={() => setEnding(undefined)} />
      )}
    </Section>
  );
}

function columns(end: (session: Session) => void): readonly Column<Session>[] {
  return [
    { key: 'person', name: texts.people.person, isHeader: true, show: nameOf },
    {
      key: 'browser',
      name: texts.keys.browser,
      show: ({ user_agent, is_current }) => (
        <span title={user_agent ?? undefined}>
          {browserOf(user_agent)} {is_current && <mark>{texts.keys.thisOne}</mark>}
        </span>
      ),
    },
    {
      key: 'reach',
      name: texts.keys.reach,
      show: ({ is_bound }) => (is_bound ? texts.keys.reachHere : texts.people.reachAll),
    },
    { key: 'since', name: texts.keys.signedIn, show: ({ created_at }) => <When at={created_at} /> },
    { key: 'used', name: texts.keys.lastUsed, show: ({ last_used_at }) => <When at={last_used_at} /> },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (session) => (
        <RowActions>
          <RowAction label={texts.keys.end} of={sessionName(session)} onClick={() => end(session)} />
        </RowActions>
      ),
    },
  ];
}

function sessionName(session: Session): string {
  return `${nameOf(session)}, ${browserOf(session.user_agent)}`;
}

function End(props: { session: Session; onEnded: () => void; onClose: () => void }): JSX.Element {
  const { id: org_id } = useOrganization();
  const { session, onEnded } = props;
  return (
    <Confirm
      title={texts.keys.endTitle}
      label={texts.keys.endButton}
      action={async () => {
        const params = { path: { org_id, session_id: String(session.id) } };
        await bodyOf(api.DELETE('/api/organizations/{org_id}/sessions/{session_id}', { params }));
        if (session.is_current) location.reload();
        else {
          announce(texts.keys.ended);
          onEnded();
        }
      }}
      onClose={props.onClose}
    >
      <p>
        {session.is_current ? texts.keys.endOwn : say(texts.keys.endText, { name: sessionName(session) })}
      </p>
    </Confirm>
  );
}
