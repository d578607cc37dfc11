import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { StandingAccess, type WhyEnded } from '../../../kernel/auth';
import { messageOf } from '../../../kernel/common';
import { ConversationAccess } from '../../../conversations/conversations';
import type { EndReason } from '../sources/frames';
import { OpenStreams, type StreamPlace } from './open-streams';

/** Half of the second within which a change takes effect on every replica. */
const ROUND_MS = 500;

const REASONS: Readonly<Record<WhyEnded, EndReason>> = {
  credential: 'credential_ended',
  membership: 'membership_lost',
  permission: 'permission_lost',
};

/**
 * Ends open streams whose conversation, key, session, membership or permission is gone, whichever replica removed it.
 * Queries the database twice a second with four statements for all streams together, and only while there are any.
 */
@Injectable()
export class StreamWatch implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(StreamWatch.name);
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly streams: OpenStreams,
    private readonly access: StandingAccess,
    private readonly conversations: ConversationAccess,
  ) {}

  onModuleInit(): void {
    this.schedule();
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (!this.isStopped) this.timer = setTimeout(() => void this.round(), ROUND_MS).unref();
  }

  private async round(): Promise<void> {
    try {
      const places = this.streams.places();
      if (places.length > 0) await this.check(places);
    } catch (error) {
      // While the database is away, streams that were allowed stay open.
      this.logger.warn(`Open streams could not be checked: ${messageOf(error)}`);
    }
    this.schedule();
  }

  private async check(places: readonly StreamPlace[]): Promise<void> {
    const ids = [...new Set(places.flatMap(({ holder }) => holder.conversationId ?? []))];
    const present = ids.length === 0 ? new Set() : await this.conversations.present(ids);
    const ended = await this.access.ended(places.map(({ holder }) => holder));
    for (const place of places) {
      const { holder } = place;
      const why = ended.get(holder);
      if (why !== undefined) place.end(REASONS[why]);
      else if (holder.conversationId !== null && !present.has(holder.conversationId))
        place.end('conversation_deleted');
    }
  }
}
