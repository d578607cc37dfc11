import type { JSX } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { useSoon } from '../../parts/load';
import { Page } from '../../parts/page';
import { Shown } from '../../parts/states';
import { cut, say, texts } from '../../text';
import { OwnActions } from './actions';
import { EventList } from './events';
import { Hold } from './hold';
import { RecordFacts } from './facts';
import { Queue, useQueue } from './queue';
import { Sandbox } from './sandbox';
import { Stop } from './stop';
import { type Conversation, useConversation } from './use-conversation';
import { useEvents } from './use-events';

const words = texts.conversations;

/** News come in bursts. */
const RELOAD_MS = 500;

/** The page of one conversation. */
export function ConversationRecord({ id }: { id: string }): JSX.Element {
  const organization = useOrganization();
  const record = useConversation(id);
  const title = record.data === undefined ? words.one : record.data.title?.trim() || words.untitled;
  return (
    <Page title={cut(title, 200)}>
      <p>
        <a href={organization.path('conversations')}>{words.all}</a>
      </p>
      <Shown of={record}>
        {(conversation) => <Opened conversation={conversation} reload={record.reload} />}
      </Shown>
    </Page>
  );
}

function Opened(props: { conversation: Conversation; reload: () => void }): JSX.Element {
  const { conversation, reload } = props;
  const { id, isOwn, user_email } = conversation;
  const organization = useOrganization();
  const { route } = useLocation();
  const queue = useQueue(conversation);
  const reloadSoon = useSoon(reload, RELOAD_MS);
  const reloadQueueSoon = useSoon(queue.reload, RELOAD_MS);
  const events = useEvents(id, (about) => (about === 'queue' ? reloadQueueSoon() : reloadSoon()));
  const leave = (): void => {
    announce(words.deletedNow);
    route(organization.path('conversations'));
  };
  return (
    <>
      {isOwn ? (
        <OwnActions conversation={conversation} onChange={reload} onDeleted={leave} />
      ) : (
        <>
          <p>{user_email === null ? words.readOnlyUnnamed : say(words.readOnly, { email: user_email })}</p>
          {organization.can('stop_org_conversations') && <Stop id={id} onChange={reload} />}
        </>
      )}
      {organization.can('manage_legal_holds') && <Hold id={id} />}
      <RecordFacts conversation={conversation} />
      <Sandbox conversation={conversation} onChange={reload} />
      <Queue conversation={conversation} queue={queue} />
      <EventList events={events} id={id} />
    </>
  );
}
