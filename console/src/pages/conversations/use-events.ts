import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { type ShownEvent, shownEventOf, textOf } from './event-text';
import { ConversationStream, type LiveState } from './stream';

/** What is read of older events at once. */
const PAGE = 50;

/** Live events are shown together that come together. */
const GATHER_MS = 50;

/** When so many have come live, what is shown begins anew with the newest page: a browser does not keep them all. */
const MOST_LIVE = 2_000;

/** The words of an agent come before the message that has them all. */
const WORDS = 'StreamingDeltaEvent';

/** The events of a conversation that are shown, and the way to older ones. */
export interface Events {
  /** The newest first; undefined until they are there. */
  readonly shown: readonly ShownEvent[] | undefined;
  /** What the agent is writing. */
  readonly words: string;
  readonly live: LiveState;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly hasOlder: boolean;
  /** Reads older ones; after a failure the same once more. */
  readonly loadOlder: () => void;
  /** Makes the connection anew, after its end. */
  readonly connect: () => void;
}

/** What live events say beside themselves: that the record has changed, or the queue. */
export type OnNews = (about: 'record' | 'queue') => void;

interface Shown {
  readonly events: readonly ShownEvent[];
  readonly olderId: string | null;
}

const NOTHING: Shown = { events: [], olderId: null };

/** Follows the events of a conversation: the newest page first, older ones on demand, new ones as they come. */
export function useEvents(conversationId: string, onNews: OnNews): Events {
  const { header } = useOrganization();
  const [shown, setShown] = useState<Shown>();
  const [words, setWords] = useState('');
  const [live, setLive] = useState<LiveState>({ is: 'connecting' });
  const [loading, setLoading] = useState<{ isLoading: boolean; error?: Error }>({ isLoading: true });
  const tell = useRef(onNews);
  tell.current = onNews;

  const latest = useRef(shown);
  latest.current = shown;
  const [round, setRound] = useState(0);

  const load = useCallback(
    async (pageId: string | null, show: (page: Shown) => void, signal?: AbortSignal): Promise<void> => {
      setLoading({ isLoading: true });
      try {
        const { items, next_page_id } = await bodyOf(
          api.GET('/api/v1/conversation/{conversation_id}/events/search', {
            params: {
              path: { conversation_id: conversationId },
              query: {
                sort_order: 'TIMESTAMP_DESC',
                limit: PAGE,
                ...(pageId !== null && { page_id: pageId }),
              },
              header,
            },
            ...(signal !== undefined && { signal }),
          }),
        );
        show({
          events: items.map(shownEventOf).filter((event) => event !== null),
          olderId: next_page_id,
        });
        setLoading({ isLoading: false });
      } catch (error) {
        if (signal?.aborted !== true)
          setLoading({ isLoading: false, error: error instanceof Error ? error : new Error(String(error)) });
      }
    },
    [conversationId, header],
  );

  useEffect(() => {
    const control = new AbortController();
    let arrived: ShownEvent[] = [];
    let written = '';
    let come = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const showArrived = (): void => {
      timer = undefined;
      const events = arrived.toReversed();
      arrived = [];
      come += events.length;
      if (come > MOST_LIVE) {
        come = 0;
        const before = latest.current;
        void load(null, (page) => setShown((now) => anew(before, now, page)), control.signal);
      }
      setWords(written);
      if (events.length > 0)
        setShown((before = NOTHING) => ({ ...before, events: withOlder(events, before.events) }));
    };
    const stream = new ConversationStream(conversationId, header, {
      onState: setLive,
      onBegin: () => {
        const before = latest.current;
        void load(null, (page) => setShown((now) => begun(before, now, page)), control.signal);
      },
      onEvent: (value) => {
        const event = shownEventOf(value);
        if (event === null) return;
        if (event.kind === WORDS) written += textOf(event.fields['content']);
        else {
          arrived.push(event);
          if (event.source === 'agent') written = '';
          if (event.kind === 'ConversationStateUpdateEvent') tell.current('record');
        }
        timer ??= setTimeout(showArrived, GATHER_MS);
      },
      onNews: (type) => tell.current(type.startsWith('message.') ? 'queue' : 'record'),
    });
    stream.open();
    return () => {
      control.abort();
      clearTimeout(timer);
      stream.close();
    };
  }, [conversationId, header, load, round]);

  return {
    shown: shown?.events,
    words,
    live,
    error: loading.error,
    isLoading: loading.isLoading,
    hasOlder: shown !== undefined && shown.olderId !== null,
    loadOlder: () =>
      void load(shown?.olderId ?? null, ({ events, olderId }) =>
        setShown((before = NOTHING) => ({ events: withOlder(before.events, events), olderId })),
      ),
    connect: () => setRound((of) => of + 1),
  };
}

/**
 * What is shown when the newest page has come.
 * @param before when it was asked for; where the page does not reach back to that, there may be a hole, and it goes
 * @param now with what has come since then
 */
function begun(before: Shown = NOTHING, now: Shown = NOTHING, page: Shown): Shown {
  const known = new Set(before.events.map(({ id }) => id));
  if (!page.events.some(({ id }) => known.has(id))) return anew(before, now, page);
  return { ...before, events: withOlder(sinceThen(before, now), withOlder(page.events, before.events)) };
}

/** The newest page and what has come since it was asked for, in place of what was shown before. */
function anew(before: Shown = NOTHING, now: Shown = NOTHING, page: Shown): Shown {
  return { ...page, events: withOlder(sinceThen(before, now), page.events) };
}

function sinceThen(before: Shown, now: Shown): readonly ShownEvent[] {
  const known = new Set(before.events.map(({ id }) => id));
  return now.events.filter(({ id }) => !known.has(id));
}

/** Newer events, then those of the older ones that are not among them. */
function withOlder(newer: readonly ShownEvent[], older: readonly ShownEvent[]): readonly ShownEvent[] {
  const ids = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !ids.has(id))];
}
