import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { type Loaded, useChange, useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Empty, Failure, Shown } from '../../parts/states';
import { say, texts } from '../../text';
import { EditMessage } from './edit-message';
import { QueuedMessage, type Step } from './queued-message';
import type { Conversation } from './use-conversation';

const words = texts.conversations.queue;

type QueueList = Schemas['QueuedMessageList'];
type Message = Schemas['QueuedMessage'];

/** A message, and the way it went. */
interface Moved {
  readonly id: string;
  readonly step: Step;
}

/** The queue of one's own conversation; null of somebody else's. */
export function useQueue({ id, isOwn }: Conversation): Loaded<QueueList | null> {
  const { header } = useOrganization();
  return useLoad(
    async (signal) =>
      isOwn
        ? bodyOf(
            api.GET('/api/v1/conversations/{conversation_id}/pending-messages', {
              params: { path: { conversation_id: id }, header },
              signal,
            }),
          )
        : null,
    [id, isOwn],
  );
}

/** What waits to be delivered, in its order; to be edited, moved and cancelled. */
export function Queue(props: { conversation: Conversation; queue: Loaded<QueueList | null> }): JSX.Element {
  const { conversation, queue } = props;
  const { header } = useOrganization();
  const move = useChange();
  const moved = useRef<Moved | null>(null);
  const [asked, setAsked] = useState<{ readonly message: Message; readonly to: 'edit' | 'cancel' }>();
  const path = { conversation_id: conversation.id };
  const close = (): void => setAsked(undefined);

  const reorder = async (list: QueueList, { id }: Message, step: Step): Promise<void> => {
    const ids = list.items.filter(({ state }) => state === 'queued').map((message) => message.id);
    const from = ids.indexOf(id);
    ids.splice(from + step, 0, ...ids.splice(from, 1));
    const isDone = await move.run(() =>
      bodyOf(
        api.PUT('/api/v1/conversations/{conversation_id}/pending-messages/order', {
          params: { path, header },
          body: { ids },
        }),
      ),
    );
    if (isDone) {
      moved.current = { id, step };
      announce(say(words.moved, { position: from + step + 1 }));
    }
    queue.reload();
  };
  const cancel = async ({ id }: Message): Promise<void> => {
    await bodyOf(
      api.DELETE('/api/v1/conversations/{conversation_id}/pending-messages/{message_id}', {
        params: { path: { ...path, message_id: id }, header },
      }),
    );
    announce(words.cancelled);
    queue.reload();
  };
  return (
    <Section title={words.title} keepsFocus>
      {move.error !== undefined && <Failure error={move.error} />}
      <Shown of={queue}>
        {(list) =>
          list === null ? (
            <p>{words.othersOnly}</p>
          ) : (
            <Messages
              list={list}
              moved={moved}
              onMove={(message, step) => void reorder(list, message, step)}
              onAsk={(message, to) => setAsked({ message, to })}
            />
          )
        }
      </Shown>
      {asked?.to === 'edit' && (
        <EditMessage
          conversationId={conversation.id}
          message={asked.message}
          onSaved={queue.reload}
          onClose={close}
        />
      )}
      {asked?.to === 'cancel' && (
        <Confirm
          title={words.cancelTitle}
          label={words.cancel}
          action={() => cancel(asked.message)}
          onClose={close}
        >
          <p>{words.cancelText}</p>
        </Confirm>
      )}
    </Section>
  );
}

function Messages(props: {
  list: QueueList;
  /** The message that was moved just now: it gets the focus, wherever it is. */
  moved: { current: Moved | null };
  onMove: (message: Message, step: Step) => void;
  onAsk: (message: Message, to: 'edit' | 'cancel') => void;
}): JSX.Element {
  const { list, moved, onMove, onAsk } = props;
  const queued = list.items.filter(({ state }) => state === 'queued');
  const place = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (moved.current === null) return;
    const { id, step } = moved.current;
    moved.current = null;
    const buttons = place.current?.querySelectorAll<HTMLButtonElement>(
      `[data-message="${id}"] button[data-step]:not(:disabled)`,
    );
    const wanted = [...(buttons ?? [])];
    (wanted.find(({ dataset }) => dataset['step'] === String(step)) ?? wanted[0])?.focus();
  }, [list, moved]);
  if (list.items.length === 0) return <Empty>{words.none}</Empty>;
  return (
    <>
      <ol class="events" ref={place} aria-label={words.title}>
        {list.items.map((message) => (
          <QueuedMessage
            key={message.id}
            message={message}
            // The operation takes all that wait.
            canMove={list.next_page_id === null}
            canMoveUp={queued.indexOf(message) > 0}
            canMoveDown={queued.includes(message) && message !== queued.at(-1)}
            onMove={(step) => onMove(message, step)}
            onAsk={(to) => onAsk(message, to)}
          />
        ))}
      </ol>
      {list.next_page_id !== null && <p>{words.more}</p>}
    </>
  );
}
