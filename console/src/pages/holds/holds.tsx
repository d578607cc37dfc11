import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { useAddress } from '../../parts/address';
import { announce } from '../../parts/announce';
import { HoldForm } from '../../parts/hold-form';
import { useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Page } from '../../parts/page';
import { When } from '../../parts/show';
import { Empty, Shown } from '../../parts/states';
import { type Column, DataTable, NextPages, RowAction, RowActions } from '../../parts/table';
import { cut, say, texts } from '../../text';

type Hold = Schemas['LegalHoldResponse'];

const words = texts.holds;

const PER_PAGE = 50;

/** What is held for a court, and what was. */
export default function Holds(): JSX.Element {
  const { id: org_id } = useOrganization();
  const { query, change } = useAddress();
  const [asked, setAsked] = useState<'new' | Hold>();
  const pageId = query['page_id'] ?? null;
  const holds = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/organizations/{org_id}/legal-holds', {
          params: { path: { org_id }, query: { page_id: pageId, limit: PER_PAGE } },
          signal,
        }),
      ),
    [org_id, pageId],
  );
  const close = (): void => setAsked(undefined);
  return (
    <Page
      title={texts.menu.holds}
      actions={
        <button type="button" onClick={() => setAsked('new')}>
          {words.make}
        </button>
      }
    >
      <p>{words.about}</p>
      <Shown of={holds}>
        {({ items, next_page_id }) => (
          <>
            {items.length === 0 ? (
              <Empty>{words.none}</Empty>
            ) : (
              <DataTable
                caption={texts.menu.holds}
                rows={items}
                idOf={({ id }) => id}
                columns={columns(setAsked)}
              />
            )}
            <NextPages
              name={texts.menu.holds}
              pageId={pageId}
              nextPageId={next_page_id}
              onPage={(next) => change({ page_id: next })}
            />
          </>
        )}
      </Shown>
      {asked === 'new' && <HoldForm onHeld={holds.reload} onClose={close} />}
      {asked !== undefined && asked !== 'new' && (
        <Lift hold={asked} onLifted={holds.reload} onClose={close} />
      )}
    </Page>
  );
}

function columns(lift: (hold: Hold) => void): readonly Column<Hold>[] {
  return [
    { key: 'what', name: words.what, isHeader: true, show: (hold) => <Held of={hold} /> },
    { key: 'reason', name: words.reason, show: ({ reason }) => reason },
    { key: 'by', name: words.by, show: ({ created_by_user_id: by }) => <User id={by} /> },
    { key: 'at', name: words.at, show: ({ created_at }) => <When at={created_at} /> },
    { key: 'state', name: words.state, show: (hold) => <State of={hold} /> },
    {
      key: 'actions',
      name: texts.table.actions,
      show: (hold) =>
        hold.lifted_at === null && (
          <RowActions>
            <RowAction
              label={words.lift}
              of={`${heldName(hold)}, ${cut(hold.reason, 100)}`}
              onClick={() => lift(hold)}
            />
          </RowActions>
        ),
    },
  ];
}

/** What is held, in words. */
function heldName({ conversation_id, user_id }: Hold): string {
  return conversation_id === null
    ? say(words.personIn, { id: user_id ?? '' })
    : say(words.conversationIn, { id: conversation_id });
}

function Held({ of }: { of: Hold }): JSX.Element {
  const { path, can } = useOrganization();
  const name = heldName(of);
  if (of.conversation_id === null || !can('view_org_conversations')) return <>{name}</>;
  return <a href={path(`conversations/${of.conversation_id}`)}>{name}</a>;
}

function User({ id }: { id: string }): JSX.Element {
  const { me } = useOrganization();
  return id === me.user_id ? <mark>{texts.people.you}</mark> : <>{id}</>;
}

function State({ of: { lifted_at, lifted_by_user_id: by } }: { of: Hold }): JSX.Element {
  if (lifted_at === null) return <>{words.lasts}</>;
  return (
    <>
      {words.lifted} <When at={lifted_at} />
      {by !== null && (
        <small class="below">
          <User id={by} />
        </small>
      )}
    </>
  );
}

/** Lifts a hold, after it is said what goes then. */
function Lift(props: { hold: Hold; onLifted: () => void; onClose: () => void }): JSX.Element {
  const { hold, onLifted, onClose } = props;
  const { id: org_id } = useOrganization();
  return (
    <Confirm
      title={words.liftTitle}
      label={words.liftButton}
      action={async () => {
        const params = { path: { org_id, hold_id: hold.id } };
        await bodyOf(api.DELETE('/api/organizations/{org_id}/legal-holds/{hold_id}', { params }));
        announce(words.isLifted);
        onLifted();
      }}
      onClose={onClose}
    >
      <p dir="auto">{heldName(hold)}</p>
      <p dir="auto">{hold.reason}</p>
      <p>{words.liftText}</p>
    </Confirm>
  );
}
