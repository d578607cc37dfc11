import { Injectable } from '@nestjs/common';
import { type AgentServer, AgentServerClient, EventMarkUnknownError } from '../agent-server';
import { type HeadRow, DeliveryRows } from './delivery-rows';
import { contentFingerprint, messageFingerprint } from './message-equality';
import type { QueueClaim } from './queue-claim';

/** Finds out whether a message arrived whose sending had no clear end (decisions 11). */
@Injectable()
export class Doubt {
  constructor(
    private readonly agentServers: AgentServerClient,
    private readonly rows: DeliveryRows,
  ) {}

  /**
   * True when the log has, after the mark, more user messages of equal content than other deliveries
   * account for. An unknown mark means that the log is not the one it was: then all of it counts.
   * @throws AgentServerError when the log cannot be read
   */
  async arrived(
    claim: QueueClaim,
    target: AgentServer,
    conversationId: string,
    message: HeadRow,
  ): Promise<boolean> {
    const wanted = contentFingerprint(JSON.parse(message.content));
    try {
      const accounted = await this.rows.deliveredAfterMark(claim, message.mark_event_id);
      return await this.exceeds(target, conversationId, message.mark_event_id, wanted, accounted);
    } catch (error) {
      if (!(error instanceof EventMarkUnknownError)) throw error;
      return this.exceeds(target, conversationId, null, wanted, await this.rows.allDelivered(claim));
    }
  }

  private async exceeds(
    target: AgentServer,
    conversationId: string,
    afterEventId: string | null,
    wanted: string,
    accounted: readonly string[],
  ): Promise<boolean> {
    let left = accounted.filter((content) => contentFingerprint(JSON.parse(content)) === wanted).length;
    for await (const event of this.agentServers.eventsAfter(target, conversationId, afterEventId))
      if (messageFingerprint(event) === wanted && left-- === 0) return true;
    return false;
  }
}
