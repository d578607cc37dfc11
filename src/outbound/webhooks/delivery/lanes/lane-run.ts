import { Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { Clock, KeyedSemaphore } from '../../../../kernel/common';
import { FaultPoints } from '../../../../kernel/leases';
import { WebhookSecrets } from '../../secrets/webhook-secrets';
import { type Attempt, type Callback, CallbackSender } from '../callback/callback-sender';
import { EventTexts, bodyOf } from '../callback/event-texts';
import type { HeadColumns, SettledLane } from '../leases/lane.query';
import type { LaneLease, LeasedLane } from '../leases/lane-leases';
import { inCallbackSpan } from '../callback/callback-span';
import { Settlements } from '../settlement/settlements';

/** Requests at a time to one endpoint, and of this process. */
const MOST_OF_ENDPOINT = 8;
const MOST_OF_PROCESS = 128;
/** Requests in a row that failed or were slow after which an endpoint is sent one at a time, until one is quick. */
const TROUBLES = 3;

/** The service stops: no further request begins. */
export class SlotsClosedError extends Error {}

/** Bounds how many requests are under way; the longest waiting goes first. */
@Injectable()
export class RequestSlots {
  private readonly troubles = new Map<string, number>();
  private isClosed = false;
  private readonly slots = new KeyedSemaphore({
    endpoint: (webhookId) => this.mostOf(webhookId),
    replica: MOST_OF_PROCESS,
  });

  /** Requests at a time that an endpoint may be sent now. */
  mostOf(webhookId: string): number {
    return (this.troubles.get(webhookId) ?? 0) >= TROUBLES ? 1 : MOST_OF_ENDPOINT;
  }

  /**
   * Runs a request once a slot is free.
   * @param request says whether it succeeded, and soon
   * @throws the signal's reason, SlotsClosedError, or what the request throws
   */
  async use<T extends { readonly isQuick: boolean }>(
    webhookId: string,
    signal: AbortSignal,
    request: () => Promise<T>,
  ): Promise<T> {
    const noted = async (): Promise<T> => {
      const result = await request();
      if (result.isQuick) this.troubles.delete(webhookId);
      else this.troubles.set(webhookId, (this.troubles.get(webhookId) ?? 0) + 1);
      return result;
    };
    if (this.isClosed) throw new SlotsClosedError();
    return this.slots.whenFree({ endpoint: webhookId, replica: '' }, noted, { signal });
  }

  /** Rejects all that wait. */
  close(): void {
    this.isClosed = true;
    this.slots.turnAway(new SlotsClosedError());
  }
}

const UNSIGNED = 'It could not be signed: the service cannot read the secret of the webhook.';

/** An endpoint that takes so long each time is sent one request at a time, as one that fails is. */
const SLOW_MS = 5_000;

const receivedEvent = z.object({ event_id: z.string() });

/** The head of a lane that is not empty. */
type Head = HeadColumns & { readonly id: string };

/**
 * Delivers from a lane, one delivery after the other: the next goes out when the last one's success is recorded. The
 * lease is checked right before each request, and what is on its way when it lapses is cut off (docs/webhooks.md#delivery).
 */
@Injectable()
export class LaneRun {
  private readonly logger = new Logger(LaneRun.name);

  constructor(
    private readonly slots: RequestSlots,
    private readonly sender: CallbackSender,
    private readonly settlements: Settlements,
    private readonly secrets: WebhookSecrets,
    private readonly events: EventTexts,
    private readonly clock: Clock,
    private readonly faultPoints: FaultPoints,
  ) {}

  /**
   * Delivers until nothing is left, or the next is to be tried later.
   * @throws LeaseLostError, SlotsClosedError, or what the database throws
   */
  async drain({ lease, head }: LeasedLane): Promise<void> {
    for (let next: HeadColumns | null = head; ;) {
      lease.assertHeld();
      const settled: SettledLane =
        next !== null && hasDelivery(next)
          ? await this.deliver(lease, next)
          : await this.settlements.read(lease);
      if (settled.outcome === 'next') next = settled;
      else if (settled.outcome === 'again') next = null;
      else break;
    }
    await this.faultPoints.reached('released', lease.lane);
  }

  private async deliver(lease: LaneLease, head: Head): Promise<SettledLane> {
    const attempt = head.is_expired ? null : await this.attempt(lease, head);
    const settled = await this.settlements.record(lease, head, attempt);
    await this.faultPoints.reached('recorded', lease.lane);
    return settled;
  }

  private async attempt(lease: LaneLease, head: Head): Promise<Attempt> {
    const { attempt } = await this.slots.use(lease.webhookId, lease.signal, async () => {
      const callback = await this.callbackOf(lease, head);
      await this.faultPoints.reached('leased', lease.lane);
      lease.assertHeld();
      const made = callback === null ? this.unsigned() : await this.send(callback, lease, head);
      return { attempt: made, isQuick: made.error === null && made.durationMs < SLOW_MS };
    });
    await this.faultPoints.reached('sent', lease.lane);
    return attempt;
  }

  private send(callback: Callback, { webhookId, signal }: LaneLease, head: Head): Promise<Attempt> {
    const about = { webhookId, conversationId: head.conversation_id };
    return inCallbackSpan(about, callback, () => this.sender.send(callback, signal));
  }

  /** Null when the secret cannot be read. */
  private async callbackOf({ webhookId }: LaneLease, head: Head): Promise<Callback | null> {
    const { id, url, type, data, occurred_at: occurredAt } = head;
    const { sealed_secret: present, sealed_previous_secret: previous } = head;
    const sealed = [present, ...(previous === null ? [] : [previous])];
    const body = bodyOf({ type, occurredAt, data, event: await this.eventOf(head) });
    try {
      return { deliveryId: id, url, body, secrets: sealed.map((one) => this.secrets.open(webhookId, one)) };
    } catch (error) {
      this.logger.warn({ err: error, webhookId }, 'The secret of a webhook could not be read');
      return null;
    }
  }

  private eventOf({ type, conversation_id, data }: Head): Promise<string | null | undefined> {
    if (type !== 'event.received' || conversation_id === null) return Promise.resolve(undefined);
    return this.events.of(conversation_id, receivedEvent.parse(JSON.parse(data)).event_id);
  }

  private unsigned(): Attempt {
    const at = this.clock.now();
    return { at, durationMs: 0, status: null, error: UNSIGNED, answer: null, retryAfterMs: null };
  }
}

function hasDelivery(head: HeadColumns): head is Head {
  return head.id !== null;
}
