import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Caller, OrgContext } from '../../../kernel/auth';
import { clampLimit, Clock, newId, type Page, PageIds, pageOf, storableText } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { WebhookAddresses } from '../addresses/webhook-addresses';
import { BRING_LANES_FORWARD } from '../delivery/leases/lane.query';
import { DeliveryStore } from '../queue/delivery-store';
import { requireAuditLog } from '../record/audit-kinds';
import { WebhookSecrets } from '../secrets/webhook-secrets';
import { toResponse } from './webhook-operations.service';
import type {
  WebhookCreate,
  WebhookResponse,
  WebhooksQuery,
  WebhookUpdate,
  WebhookWithSecret,
} from './webhooks.dto';
import {
  MAX_WEBHOOKS,
  refusedAddress,
  TooManyWebhooksError,
  type WebhookFields,
  WebhooksRepository,
} from './webhooks.repository';

const PAGES = PageIds.byId('webhooks');

/** The webhooks of an organization (docs/webhooks.md#managing-webhooks). */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly webhooks: WebhooksRepository,
    private readonly addresses: WebhookAddresses,
    private readonly secrets: WebhookSecrets,
    private readonly store: DeliveryStore,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  async list({ orgId }: OrgContext, query: WebhooksQuery): Promise<Page<WebhookResponse>> {
    const limit = clampLimit(query.limit);
    const found = await this.webhooks.page(orgId, PAGES.read(query.page_id), limit + 1);
    const now = this.clock.now();
    return pageOf(
      found,
      limit,
      (webhook) => toResponse(webhook, now),
      ({ id }) => PAGES.write(id),
    );
  }

  /** @throws WebhookNotFoundError */
  async get({ orgId }: OrgContext, id: string): Promise<WebhookResponse> {
    return toResponse(await this.webhooks.get(orgId, id), this.clock.now());
  }

  /**
   * @returns the webhook with its secret, which nothing shows again
   * @throws ValidationError for an address that callbacks may not go to; TooManyWebhooksError; KeyScopeError and
   *   PermissionDeniedError where rows of the audit log are wanted
   */
  async create(caller: Caller, org: OrgContext, body: WebhookCreate): Promise<WebhookWithSecret> {
    requireAuditLog(caller, org, body.kinds);
    const { userId } = caller;
    const { orgId } = org;
    const fields = {
      url: await this.checkedUrl(body.url),
      description: storableText(body.description),
      kinds: distinct(body.kinds),
      conversationIds: body.conversation_ids === null ? null : distinct(body.conversation_ids),
      tags: body.tags === null ? null : storableTags(body.tags),
    };
    const id = newId();
    const secret = this.secrets.make();
    return this.database.transaction(async (transaction) => {
      await this.webhooks.lock(transaction, orgId);
      if ((await this.webhooks.count(transaction, orgId)) >= MAX_WEBHOOKS) throw new TooManyWebhooksError();
      const sealedSecret = this.secrets.seal(id, secret);
      const kept = { ...fields, id, orgId, createdByUserId: userId, sealedSecret };
      await this.webhooks.insert(transaction, kept);
      await this.events.publish(transaction, {
        kind: 'webhook.created',
        org_id: orgId,
        webhook_id: id,
        user_id: userId,
      });
      const made = await this.webhooks.getLocked(transaction, orgId, id);
      return Object.assign(toResponse(made, this.clock.now()), { secret });
    });
  }

  /**
   * Changes what is present in the body. A new address resets the failures, and pending deliveries are tried soon.
   * @throws WebhookNotFoundError; ValidationError for an address that callbacks may not go to; KeyScopeError and
   *   PermissionDeniedError where it has, or had, rows of the audit log sent
   */
  async update(caller: Caller, org: OrgContext, id: string, body: WebhookUpdate): Promise<WebhookResponse> {
    requireAuditLog(caller, org, body.kinds ?? []);
    const { userId } = caller;
    const { orgId } = org;
    const wanted = wantedFields(body, body.url === undefined ? undefined : await this.checkedUrl(body.url));
    return this.webhooks.change(orgId, id, async (transaction, before) => {
      requireAuditLog(caller, org, await this.webhooks.kindsSent(transaction, before));
      const changed = Object.entries(wanted).filter(
        ([name, value]) => !isDeepStrictEqual(value, Reflect.get(before, name)),
      );
      if (changed.length === 0) return toResponse(before, this.clock.now());
      const changes: Partial<WebhookFields> = Object.fromEntries(changed);
      const isElsewhere = changes.url !== undefined;
      await this.webhooks.update(transaction, before.id, {
        ...changes,
        ...(isElsewhere && { failingSince: null }),
      });
      if (isElsewhere) await BRING_LANES_FORWARD.rows(transaction, [before.id]);
      await this.events.publish(transaction, {
        kind: 'webhook.updated',
        org_id: orgId,
        webhook_id: before.id,
        user_id: userId,
        fields: changed.map(([name]) => (name === 'conversationIds' ? 'conversation_ids' : name)),
      });
      return toResponse(await this.webhooks.getLocked(transaction, orgId, id), this.clock.now());
    });
  }

  /**
   * Stops sending, then deletes the deliveries, and at last the webhook.
   * @throws WebhookNotFoundError
   */
  async delete({ userId }: Caller, { orgId }: OrgContext, id: string): Promise<void> {
    const disabled = { enabled: false, disabledReason: 'by_request', disabledAt: this.clock.now() } as const;
    const webhookId = await this.webhooks.change(orgId, id, async (transaction, webhook) => {
      if (webhook.enabled) await this.webhooks.update(transaction, webhook.id, disabled);
      await this.store.dropLanes(transaction, webhook.id);
      return webhook.id;
    });
    await this.store.deleteAll(this.database, webhookId);
    await this.webhooks.change(orgId, id, async (transaction, webhook) => {
      await this.webhooks.delete(transaction, webhook.id);
      await this.events.publish(transaction, {
        kind: 'webhook.deleted',
        org_id: orgId,
        webhook_id: webhook.id,
        user_id: userId,
      });
    });
  }

  private async checkedUrl(text: string): Promise<string> {
    const url = new URL(text);
    const problem = await this.addresses.problemOf(url);
    if (problem !== null) throw refusedAddress(problem);
    return url.href;
  }
}

function wantedFields(body: WebhookUpdate, url: string | undefined): Partial<WebhookFields> {
  const { description, kinds, conversation_ids: conversationIds, tags } = body;
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description: storableText(description) }),
    ...(kinds !== undefined && { kinds: distinct(kinds) }),
    ...(conversationIds !== undefined && {
      conversationIds: conversationIds === null ? null : distinct(conversationIds),
    }),
    ...(tags !== undefined && { tags: tags === null ? null : storableTags(tags) }),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function storableTags(tags: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [storableText(name), storableText(value)]),
  );
}
