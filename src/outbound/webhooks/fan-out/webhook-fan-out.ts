import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../../kernel/config';
import {
  type AnyDomainEvent,
  DomainEventLog,
  type LogConsumer,
  type LoggedEvent,
} from '../../../kernel/domain-events';
import { DeliveryStore, type NewDelivery } from '../queue/delivery-store';
import { LaneSignal } from '../queue/lane-signal';
import { isOfAuditLog } from '../record/audit-kinds';
import { FaultPoints } from '../../../kernel/leases';
import { CONVERSATION_TAGS } from './conversation-tags.read-model';
import { ANY_ENABLED, ENABLED_WEBHOOKS, type EnabledWebhook } from './enabled-webhooks.query';
import { agentKindOf, concerns, conversationOf, hasTags, type TagsOf } from './filters';

const LOOK_MS = 1_000;

/** An event that may go to an endpoint. */
interface Match {
  readonly webhook: EnabledWebhook;
  readonly logged: LoggedEvent;
}

/** Creates deliveries for events in the transaction that gives the events their positions. */
@Injectable()
export class WebhookFanOut implements LogConsumer, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WebhookFanOut.name);
  private readonly added = new Set<string>();
  private isAnyEnabled = true;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly store: DeliveryStore,
    private readonly signal: LaneSignal,
    private readonly faultPoints: FaultPoints,
    @Inject(SETTINGS) private readonly settings: Settings,
    log: DomainEventLog,
  ) {
    log.consume(this);
  }

  onApplicationBootstrap(): void {
    if (this.settings.APP_ROLE !== 'api') this.timer = setInterval(() => void this.look(), LOOK_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  isWaiting(): boolean {
    return this.isAnyEnabled;
  }

  async take(transaction: EntityManager, events: readonly LoggedEvent[]): Promise<void> {
    this.added.clear();
    const matched = await this.matched(transaction, events);
    await this.store.add(
      transaction,
      matched.map(({ webhook, logged }) => deliveryOf(webhook.id, logged)),
    );
    if (matched.length > 0) await this.faultPoints.reached('stored');
    for (const { webhook } of matched) this.added.add(webhook.id);
  }

  committed(): void {
    if (this.added.size > 0) void this.faultPoints.reached('committed');
    this.signal.added([...this.added]);
    this.added.clear();
  }

  private async look(): Promise<void> {
    try {
      const [any] = await ANY_ENABLED.rows(this.database, []);
      this.isAnyEnabled = any?.found ?? false;
    } catch (error) {
      this.logger.warn({ err: error }, 'It could not be read whether there are webhooks');
    }
  }

  /** In the order of the events. */
  private async matched(transaction: EntityManager, events: readonly LoggedEvent[]): Promise<Match[]> {
    const orgIds = new Set(events.flatMap(({ event }) => event.org_id ?? []));
    const webhooks = await ENABLED_WEBHOOKS.rowsIn(transaction, [[...orgIds]]);
    if (webhooks.length === 0) return [];
    const ofOrg = byOrg(webhooks);
    const matches = events.flatMap((logged) =>
      (ofOrg.get(logged.event.org_id ?? '') ?? [])
        .filter((webhook) => concerns(webhook, logged.event))
        .map((webhook) => ({ webhook, logged })),
    );
    const tagsOf = await this.tagsFor(transaction, matches);
    return matches.filter(({ webhook, logged }) => hasTags(webhook, logged.event, tagsOf));
  }

  private async tagsFor(transaction: EntityManager, matches: readonly Match[]): Promise<TagsOf> {
    const asked = matches
      .filter(({ webhook }) => webhook.tags !== null)
      .flatMap(({ logged }) => conversationOf(logged.event) ?? []);
    if (asked.length === 0) return () => undefined;
    const rows = await CONVERSATION_TAGS.rows(transaction, [[...new Set(asked)]]);
    const found = new Map(rows.map((row) => [row.id, row]));
    return (event) => {
      const conversation = found.get(conversationOf(event) ?? '');
      return conversation !== undefined && conversation.org_id === event.org_id
        ? conversation.tags
        : undefined;
    };
  }
}

function byOrg(webhooks: readonly EnabledWebhook[]): Map<string, EnabledWebhook[]> {
  const byId = new Map<string, EnabledWebhook[]>();
  for (const webhook of webhooks) {
    const own = byId.get(webhook.org_id);
    if (own === undefined) byId.set(webhook.org_id, [webhook]);
    else own.push(webhook);
  }
  return byId;
}

/** Rows of the audit log go out one after the other, and say where they stand in it, so that a receiver can go on from there. */
function deliveryOf(webhookId: string, { event, at, position }: LoggedEvent): NewDelivery {
  const isRow = isOfAuditLog(event.kind);
  return {
    webhookId,
    conversationId: conversationOf(event),
    ...(isRow && event.org_id !== null && { lane: event.org_id }),
    type: event.kind,
    eventKind: agentKindOf(event),
    data: JSON.stringify({ ...withoutKind(event), ...(isRow && { position: Number(position) }) }),
    occurredAt: at,
  };
}

function withoutKind(event: AnyDomainEvent): object {
  return { ...event, kind: undefined };
}
