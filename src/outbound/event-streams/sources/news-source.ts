import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { groupedRows } from '../../../kernel/database';
import { domainEventSchema } from '../../../kernel/domain-events';
import { LAST_NEWS, NEWS_AFTER, NEWS_POSITION, type NewsRow } from './news.read-model';
import { domainEventJson } from './organization-source';
import { type SourceBounds, type SourcePage, StreamSource, StreamStep } from './stream-source';

/** What is read at once of each conversation. */
const MOST = 500;

/** News may be sent so much later than an event that came after them: a reader that has only the event gets them again. */
const MARGIN = '1 minute';

/** What the service knows of conversations: their domain events, and those of their sandboxes. */
@Injectable()
export class NewsSource extends StreamSource {
  constructor(@InjectDataSource() private readonly database: DataSource) {
    super();
  }

  override async bounds(conversationId: string): Promise<SourceBounds> {
    const [row] = await LAST_NEWS.rows(this.database, [conversationId]);
    const last = Number(row?.position ?? 0);
    return { last, highest: last };
  }

  /**
   * The position after which the reader lacks news.
   * @param number up to which a reader has the events of the conversation; null for one that begins with what comes next
   */
  async positionAt(conversationId: string, number: number | null): Promise<number> {
    if (number === null) return (await this.bounds(conversationId)).last;
    if (number === 0) return 0;
    const [row] = await NEWS_POSITION.rows(this.database, [conversationId, number, MARGIN]);
    return Number(row?.position ?? 0);
  }

  override async nextOfEach(cursors: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, SourcePage>> {
    const rows = await NEWS_AFTER.rows(this.database, [[...cursors.keys()], [...cursors.values()], MOST]);
    const pages = groupedRows(rows, ({ conversation_id }) => conversation_id);
    return new Map(
      [...pages].map(([id, found]) => [
        id,
        {
          steps: found.flatMap(toStep),
          end: Number(found.at(-1)?.position ?? 0),
          hasMore: found.length === MOST,
        },
      ]),
    );
  }

  override async next(conversationId: string, after: number): Promise<SourcePage> {
    const page = (await this.nextOfEach(new Map([[conversationId, after]]))).get(conversationId);
    return page ?? { steps: [], end: after, hasMore: false };
  }
}

/** Kinds that a later release has logged are skipped: this one cannot parse them. */
function toStep({ position, event, created_at }: NewsRow): StreamStep[] {
  const { success, data } = domainEventSchema.safeParse(event);
  return success
    ? [
        StreamStep.news(
          Number(position),
          data.kind,
          domainEventJson({ position, event: data, at: created_at }),
        ),
      ]
    : [];
}
