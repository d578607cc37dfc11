import type { JSX } from 'preact';
import { ApiError } from '../../api/api-error';
import { askedFetch } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { DownloadButton, saveFile } from '../../parts/download';
import { Section } from '../../parts/page';
import { When } from '../../parts/show';
import { Empty, Failure, Loading } from '../../parts/states';
import { say, texts } from '../../text';
import { textIn } from './conversation-texts';
import { labelOf, type ShownEvent, sourceOf, textOfEvent } from './event-text';
import { Json, LongText } from './long-text';
import type { LiveState } from './stream';
import type { Events } from './use-events';

const words = texts.conversations.events;

/** What has happened in a conversation, the newest first, as it comes. */
export function EventList({ events, id }: { events: Events; id: string }): JSX.Element {
  const { shown, error, isLoading, live } = events;
  const { header } = useOrganization();
  const download = async (): Promise<void> => {
    const path = `/api/v1/app-conversations/${encodeURIComponent(id)}/download`;
    const response = await askedFetch(path, { headers: header });
    if (!response.ok) throw ApiError.of(response, await response.json().catch(() => null));
    saveFile(await response.blob(), `conversation-${id}.zip`);
  };
  return (
    <Section title={words.title} actions={<DownloadButton label={words.download} get={download} />}>
      <p>
        {words.newest} <span role="status">{liveText(live)}</span>{' '}
        {live.is === 'ended' && live.reason === 'refused' && (
          <button type="button" class="secondary outline small" onClick={events.connect}>
            {texts.states.retry}
          </button>
        )}
      </p>
      {events.words !== '' && (
        <div class="event">
          <strong>{words.writing}</strong>
          <LongText text={events.words} />
        </div>
      )}
      {shown !== undefined && shown.length === 0 && !isLoading && <Empty>{words.none}</Empty>}
      {shown !== undefined && shown.length > 0 && (
        <ol class="events" aria-label={words.title}>
          {shown.map((event) => (
            <EventItem key={event.id} event={event} />
          ))}
        </ol>
      )}
      {error !== undefined && <Failure error={error} retry={events.loadOlder} />}
      {isLoading && <Loading />}
      {events.hasOlder && error === undefined && (
        // Not disabled while it loads: the focus would be lost.
        <button
          type="button"
          class="secondary outline"
          onClick={() => {
            if (!isLoading) events.loadOlder();
          }}
        >
          {words.older}
        </button>
      )}
    </Section>
  );
}

function liveText(live: LiveState): string {
  if (live.is !== 'ended') return words.live[live.is];
  return say(words.live.ended, { reason: textIn(words.reasons, live.reason) ?? live.reason });
}

function EventItem({ event }: { event: ShownEvent }): JSX.Element {
  const text = textOfEvent(event);
  return (
    <li class="event">
      <p class="event-head">
        <strong dir="auto">{labelOf(event)}</strong> <span dir="auto">{sourceOf(event)}</span>{' '}
        <small>
          <EventTime timestamp={event.timestamp} />
        </small>
      </p>
      {text !== '' && <LongText text={text} />}
      <Json value={event.fields} name={labelOf(event)} />
    </li>
  );
}

/** Agent servers leave the zone out, which is UTC. */
function EventTime({ timestamp }: { timestamp: string }): JSX.Element {
  const at = /(Z|[+-]\d\d:?\d\d)$/.test(timestamp) ? timestamp : `${timestamp}Z`;
  return Number.isNaN(Date.parse(at)) ? <>{timestamp}</> : <When at={at} />;
}
