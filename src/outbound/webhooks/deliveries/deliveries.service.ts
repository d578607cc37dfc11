import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Caller, OrgContext } from '../../../kernel/auth';
import { clampLimit, Clock, type Page, PageIds, pageOf, parseUuid, appError } from '../../../kernel/common';
import { WebhookDisabledError, WebhooksRepository } from '../endpoints/webhooks.repository';
import { DeliveryStore } from '../queue/delivery-store';
import { LaneSignal } from '../queue/lane-signal';
import { requireAuditLog } from '../record/audit-kinds';
import { WebhookAttempt } from '../record/webhook-attempt.entity';
import { WebhookDelivery } from '../record/webhook-delivery.entity';
import type { Webhook } from '../record/webhook.entity';
import type {
  WebhookDeliveriesQuery,
  WebhookDeliveryDetails,
  WebhookDeliveryResponse,
  WebhookReplayed,
  WebhookAttemptResponse,
} from './deliveries.dto';
import { DELIVERIES, FAILED_DELIVERIES } from './deliveries.query';

/** 404: the webhook has no such delivery, or no longer. */
export const WebhookDeliveryNotFoundError = appError(
  404,
  'webhook_delivery_not_found',
  'The webhook has no such delivery.',
);

const PAGES = PageIds.byTime('webhook-deliveries');

/** Most deliveries that one call replays. */
const MAX_REPLAYED = 1_000;

/** The deliveries of webhooks: read, tested, replayed (docs/webhooks.md#deliveries). */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    @InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>,
    @InjectRepository(WebhookAttempt) private readonly attempts: Repository<WebhookAttempt>,
    private readonly store: DeliveryStore,
    private readonly signal: LaneSignal,
    private readonly clock: Clock,
  ) {}

  /** Newest first. @throws WebhookNotFoundError */
  async list(
    { orgId }: OrgContext,
    webhookId: string,
    { state, page_id, limit }: WebhookDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryResponse>> {
    const { id } = await this.webhooks.get(orgId, webhookId);
    const most = clampLimit(limit);
    const from = PAGES.read(page_id);
    const found = await DELIVERIES.rows(this.deliveries.manager, [
      id,
      state,
      from?.at ?? null,
      from?.id ?? null,
      most + 1,
    ]);
    return pageOf(found, most, toDelivery, ({ createdAt, id }) => PAGES.write({ at: createdAt, id }));
  }

  /**
   * @throws WebhookNotFoundError, WebhookDeliveryNotFoundError; KeyScopeError and PermissionDeniedError for a row of the audit log
   */
  async get(
    caller: Caller,
    org: OrgContext,
    webhookId: string,
    deliveryId: string,
  ): Promise<WebhookDeliveryDetails> {
    const webhook = await this.webhooks.get(org.orgId, webhookId);
    const delivery = await this.find(this.deliveries.manager, webhook, deliveryId);
    requireAuditLog(caller, org, [delivery.type]);
    const attempts = await this.attempts.find({
      where: { deliveryId: delivery.id },
      order: { number: 'ASC' },
    });
    return toDetails(delivery, attempts);
  }

  /**
   * Adds a delivery of type `webhook.test`, whatever the filters.
   * @throws WebhookNotFoundError, WebhookDisabledError
   */
  async test({ orgId }: OrgContext, webhookId: string): Promise<WebhookDeliveryResponse> {
    return this.sent(orgId, webhookId, async (transaction, webhook) => {
      const [id = ''] = await this.store.add(transaction, [
        {
          webhookId: webhook.id,
          conversationId: null,
          type: 'webhook.test',
          eventKind: null,
          data: JSON.stringify({ org_id: orgId, webhook_id: webhook.id }),
          occurredAt: this.clock.now(),
        },
      ]);
      return toDelivery(await this.find(transaction, webhook, id));
    });
  }

  /**
   * Sends a delivery again, after what is waiting; a pending one stays as it is.
   * @throws WebhookNotFoundError, WebhookDeliveryNotFoundError, WebhookDisabledError
   */
  async replay(
    { orgId }: OrgContext,
    webhookId: string,
    deliveryId: string,
  ): Promise<WebhookDeliveryResponse> {
    return this.sent(orgId, webhookId, async (transaction, webhook) => {
      const { id } = await this.find(transaction, webhook, deliveryId);
      await this.store.replay(transaction, webhook.id, [id]);
      return toDelivery(await this.find(transaction, webhook, id));
    });
  }

  /**
   * Sends the failed deliveries since a time again, at most {@link MAX_REPLAYED} of them.
   * @throws WebhookNotFoundError, WebhookDisabledError
   */
  async replayFailed({ orgId }: OrgContext, webhookId: string, since: Date): Promise<WebhookReplayed> {
    return this.sent(orgId, webhookId, async (transaction, webhook) => {
      const failed = await FAILED_DELIVERIES.rows(transaction, [webhook.id, since, MAX_REPLAYED + 1]);
      const ids = failed.slice(0, MAX_REPLAYED).map(({ id }) => id);
      const replayed = await this.store.replay(transaction, webhook.id, ids);
      return { replayed, has_more: failed.length > MAX_REPLAYED };
    });
  }

  /** Runs a change that adds deliveries, and signals them once it is committed. */
  private async sent<T>(
    orgId: string,
    webhookId: string,
    work: (transaction: EntityManager, webhook: Webhook) => Promise<T>,
  ): Promise<T> {
    const { result, id } = await this.webhooks.change(orgId, webhookId, async (transaction, webhook) => {
      if (!webhook.enabled) throw new WebhookDisabledError();
      return { result: await work(transaction, webhook), id: webhook.id };
    });
    this.signal.added([id]);
    return result;
  }

  private async find(transaction: EntityManager, webhook: Webhook, text: string): Promise<WebhookDelivery> {
    const id = parseUuid(text);
    if (id === null) throw new WebhookDeliveryNotFoundError();
    const delivery = await transaction
      .withRepository(this.deliveries)
      .findOneBy({ id, webhookId: webhook.id });
    if (delivery === null) throw new WebhookDeliveryNotFoundError();
    return delivery;
  }
}

/** A delivery as lists answer it. */
function toDelivery(delivery: Omit<WebhookDelivery, 'data'>): WebhookDeliveryResponse {
  return {
    id: delivery.id,
    type: delivery.type,
    event_kind: delivery.eventKind,
    conversation_id: delivery.conversationId,
    state: delivery.state,
    attempt_count: delivery.attempts,
    last_error: delivery.lastError,
    occurred_at: delivery.occurredAt.toISOString(),
    created_at: delivery.createdAt.toISOString(),
    completed_at: delivery.completedAt?.toISOString() ?? null,
    expires_at: delivery.state === 'pending' ? delivery.expiresAt.toISOString() : null,
  };
}

/** A delivery with what was sent and its attempts. */
function toDetails(delivery: WebhookDelivery, attempts: readonly WebhookAttempt[]): WebhookDeliveryDetails {
  const data: unknown = JSON.parse(delivery.data);
  return Object.assign(toDelivery(delivery), { data, attempts: attempts.map(toAttempt) });
}

function toAttempt({
  number,
  at,
  durationMs,
  status,
  error,
  answer,
}: WebhookAttempt): WebhookAttemptResponse {
  return { number, at: at.toISOString(), duration_ms: durationMs, status, error, answer };
}
