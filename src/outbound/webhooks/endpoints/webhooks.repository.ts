import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThanOrEqual, Repository } from 'typeorm';
import { parseUuid, appError } from '../../../kernel/common';
import { lockForTransaction } from '../../../kernel/database';
import { AUDIT_KIND } from '../../../kernel/domain-events';
import { isOfAuditLog } from '../record/audit-kinds';
import { WebhookDelivery } from '../record/webhook-delivery.entity';
import { Webhook } from '../record/webhook.entity';
import { ValidationError } from '../../../kernel/validation';

/** Most webhooks of an organization. */
export const MAX_WEBHOOKS = 50;

/** 404: the organization has no such webhook. */
export const WebhookNotFoundError = appError(
  404,
  'webhook_not_found',
  'The organization has no such webhook.',
);

/** 409: the organization has as many webhooks as it may have. */
export const TooManyWebhooksError = appError(
  409,
  'too_many_webhooks',
  `The organization has ${MAX_WEBHOOKS} webhooks, which is the most there may be.`,
);

/** 409: nothing is sent to a webhook that is disabled. */
export const WebhookDisabledError = appError(
  409,
  'webhook_disabled',
  'The webhook is disabled: enable it first.',
);

/** 422: callbacks may not go to the host of the address; without the address, which may hold a password. */
export function refusedAddress(reason: string): ValidationError {
  const issue = { type: 'value_error', loc: ['body', 'url'], msg: `Value error, ${reason}`, input: null };
  return new ValidationError([issue], { status: 422, plain: true });
}

/** The fields of a webhook that its organization sets. */
export type WebhookFields = Pick<Webhook, 'url' | 'description' | 'kinds' | 'conversationIds' | 'tags'>;

/** Webhooks of organizations. */
@Injectable()
export class WebhooksRepository {
  constructor(@InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>) {}

  /** Serializes changes to the number of webhooks of an organization. */
  async lock(transaction: EntityManager, orgId: string): Promise<void> {
    await lockForTransaction(transaction, `webhooks:${orgId}`);
  }

  count(transaction: EntityManager, orgId: string): Promise<number> {
    return transaction.withRepository(this.webhooks).countBy({ orgId });
  }

  /** By id. @param from the first id of the page; null for the first page */
  page(orgId: string, from: string | null, limit: number): Promise<Webhook[]> {
    return this.webhooks.find({
      where: { orgId, ...(from !== null && { id: MoreThanOrEqual(from) }) },
      order: { id: 'ASC' },
      take: limit,
    });
  }

  /**
   * @param text the id as the request has it
   * @throws WebhookNotFoundError
   */
  async get(orgId: string, text: string): Promise<Webhook> {
    return found(await this.webhooks.findOneBy({ orgId, id: idOf(text) }));
  }

  /** As {@link get}, locked until the transaction ends; deliveries can be added to it meanwhile. */
  async getLocked(transaction: EntityManager, orgId: string, text: string): Promise<Webhook> {
    return found(
      await transaction
        .withRepository(this.webhooks)
        .findOne({ where: { orgId, id: idOf(text) }, lock: { mode: 'for_no_key_update' } }),
    );
  }

  /** Runs a change of one webhook, which is locked meanwhile. @throws WebhookNotFoundError */
  change<T>(
    orgId: string,
    text: string,
    work: (transaction: EntityManager, webhook: Webhook) => Promise<T>,
  ): Promise<T> {
    return this.webhooks.manager.transaction(async (transaction) =>
      work(transaction, await this.getLocked(transaction, orgId, text)),
    );
  }

  /** The kinds of what a webhook sends, and may send again: what it names, and rows of the audit log that it named once. */
  async kindsSent(transaction: EntityManager, { id, kinds }: Webhook): Promise<readonly string[]> {
    if (kinds.some(isOfAuditLog)) return kinds;
    const deliveries = transaction.getRepository(WebhookDelivery);
    return (await deliveries.existsBy({ webhookId: id, type: AUDIT_KIND })) ? [...kinds, AUDIT_KIND] : kinds;
  }

  async insert(
    transaction: EntityManager,
    webhook: WebhookFields & Pick<Webhook, 'id' | 'orgId' | 'sealedSecret' | 'createdByUserId'>,
  ): Promise<void> {
    await transaction.withRepository(this.webhooks).insert(webhook);
  }

  async update(transaction: EntityManager, id: string, changes: Partial<Webhook>): Promise<void> {
    await transaction.withRepository(this.webhooks).update({ id }, changes);
  }

  async delete(transaction: EntityManager, id: string): Promise<void> {
    await transaction.withRepository(this.webhooks).delete({ id });
  }
}

function idOf(text: string): string {
  const id = parseUuid(text);
  if (id === null) throw new WebhookNotFoundError();
  return id;
}

function found(webhook: Webhook | null): Webhook {
  if (webhook === null) throw new WebhookNotFoundError();
  return webhook;
}
