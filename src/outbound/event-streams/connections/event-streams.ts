import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { UnknownPositionError } from '../event-streams.errors';
import type { NewsTails, Tails } from '../tails/tails';
import { EventStream } from './event-stream';
import { OpenStreams, type StreamHolder } from './open-streams';

/** What a client asks for. */
export interface StreamRequest {
  readonly tails: Tails;
  /** The id of the conversation or organization. */
  readonly id: string;
  /** Null for all kinds. */
  readonly kinds: ReadonlySet<string> | null;
  /** The position that the client has already; null to begin with what comes next. */
  readonly after: number | null;
  /** The news that are sent beside it; null for none. */
  readonly news: NewsTails | null;
}

/** Begins streams (docs/streams.md). */
@Injectable()
export class EventStreams {
  constructor(private readonly open: OpenStreams) {}

  /**
   * Begins a stream, which goes on after this returns.
   * @throws TooManyStreamsError, ServiceStoppingError, UnknownPositionError; nothing was sent then
   */
  async begin(holder: StreamHolder, request: StreamRequest, response: Response): Promise<void> {
    const { tails, id, kinds, news } = request;
    const place = this.open.take(holder);
    try {
      const after = await position(request);
      const newsAfter = (await news?.source.positionAt(id, request.after)) ?? 0;
      // The client may have disconnected meanwhile, and a stopping service may have sent its own response.
      const isOver = response.headersSent || response.closed || response.req.socket.destroyed;
      // Express answers HEAD here, too.
      const isHead = response.req.method === 'HEAD';
      if (isOver || isHead) {
        if (!isOver) response.type('text/event-stream').end();
        place.free();
        return;
      }
      const target = {
        log: { tails, id, kinds, after },
        news: news === null ? null : { tails: news, id, kinds, after: newsAfter },
      };
      const stream = new EventStream(target, place, response);
      void stream.run();
      if (place.endedFor !== undefined) stream.end(place.endedFor);
    } catch (error) {
      place.free();
      throw error;
    }
  }
}

/** @throws UnknownPositionError */
async function position({ tails, id, after }: StreamRequest): Promise<number> {
  if (after !== null && tails.keepsAfter(id, after)) return after;
  const { last, highest } = await tails.source.bounds(id);
  if (after !== null && after > highest) throw new UnknownPositionError();
  return after ?? last;
}
