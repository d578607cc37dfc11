import type { DataSource } from 'typeorm';
import { newId } from '../../../src/kernel/common';
import { DomainEvents, type PublishedEvent } from '../../../src/kernel/domain-events';
import { WebhookSecrets } from '../../../src/outbound/webhooks/secrets/webhook-secrets';
import { startTestApp, type TestApp, type TestAppOptions } from '../service/app';
import { makeCaller, makeOrg, type TestCaller } from '../service/factories';
import { CallbackReceiver } from './callback-receiver';

/** Shorter than the shortest pause. */
const LEASE_SECONDS = 3;

/** An endpoint in the database. */
export interface TestWebhook {
  readonly id: string;
  readonly path: string;
  readonly secret: string;
}

export interface WebhookFields {
  readonly orgId?: string;
  readonly url?: string;
  readonly kinds?: readonly string[];
  readonly conversationIds?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
}

/** A delivery as it is stored. */
export interface StoredDelivery {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly type: string;
  readonly expires_at: Date;
}

/** An attempt as it is stored. */
export interface StoredAttempt {
  readonly number: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  readonly duration_ms: number;
}

/** A service, an organization in it, and a receiver that it may call. */
export class WebhookFixture {
  private paths = 0;

  private constructor(
    readonly service: TestApp,
    readonly receiver: CallbackReceiver,
    readonly owner: TestCaller,
  ) {}

  static async start({ env, ...options }: TestAppOptions = {}): Promise<WebhookFixture> {
    const receiver = await CallbackReceiver.start();
    const service = await startTestApp({
      ...options,
      env: { WEBHOOK_ALLOWED_HOSTS: receiver.host, JOB_LEASE_SECONDS: String(LEASE_SECONDS), ...env },
    });
    const org = await makeOrg(service.db);
    return new WebhookFixture(service, receiver, await makeCaller(service.db, org.id, 'owner'));
  }

  get db(): DataSource {
    return this.service.db;
  }

  get orgId(): string {
    return this.owner.orgId;
  }

  async stop(): Promise<void> {
    await this.service.close();
    await this.receiver.stop();
  }

  /** An endpoint at a path of its own. */
  async makeWebhook(fields: WebhookFields = {}): Promise<TestWebhook> {
    const secrets = this.service.app.get(WebhookSecrets, { strict: false });
    const webhook = { id: newId(), path: `/${++this.paths}`, secret: secrets.make() };
    await this.db.query(
      `INSERT INTO webhooks (id, org_id, url, kinds, conversation_ids, tags, enabled, sealed_secret)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[webhook.id, fields.orgId ?? this.orgId, fields.url ?? this.receiver.url(webhook.path)],
        ...[
          fields.kinds ?? ['conversation.created', 'member.removed'],
          fields.conversationIds ?? null,
          fields.tags ?? null,
        ],
        ...[fields.enabled ?? true, secrets.seal(webhook.id, webhook.secret)],
      ],
    );
    return webhook;
  }

  /** Commits that something happened. */
  publish(...events: readonly PublishedEvent[]): Promise<void> {
    return this.db.transaction((transaction) =>
      this.service.app.get(DomainEvents).publish(transaction, ...events),
    );
  }

  /** Something that happens in a conversation, told apart by its `sandbox_id`. */
  happening(conversationId: string, mark: string = newId()): PublishedEvent {
    return {
      kind: 'conversation.created',
      org_id: this.orgId,
      conversation_id: conversationId,
      created_by_user_id: this.owner.userId,
      parent_conversation_id: null,
      sandbox_id: mark,
    };
  }

  /** The ids of the deliveries that arrived at an endpoint, however often each was tried. */
  idsAt(webhook: TestWebhook): ReadonlySet<unknown> {
    return new Set(this.receiver.at(webhook.path).map(({ headers }) => headers['webhook-id']));
  }

  /** What arrived at an endpoint, by the marks of {@link happening}. */
  marks(webhook: TestWebhook): unknown[] {
    return this.receiver.at(webhook.path).map(({ payload }) => payload.data['sandbox_id']);
  }

  deliveries({ id }: TestWebhook): Promise<StoredDelivery[]> {
    return this.db.query(
      `SELECT id, state, attempts, last_error, type, expires_at FROM webhook_deliveries
        WHERE webhook_id = $1 ORDER BY rank`,
      [id],
    );
  }

  attempts(deliveryId: string): Promise<StoredAttempt[]> {
    return this.db.query(
      `SELECT number, status, error, answer, duration_ms FROM webhook_attempts
        WHERE delivery_id = $1 ORDER BY number`,
      [deliveryId],
    );
  }

  /** Milliseconds until the lanes of an endpoint are due, by the database's clock. */
  async pauses({ id }: TestWebhook): Promise<number[]> {
    const rows = await this.db.query<{ ms: number }[]>(
      `SELECT (extract(epoch FROM due_at - now()) * 1000)::float8 AS ms FROM webhook_lanes WHERE webhook_id = $1`,
      [id],
    );
    return rows.map(({ ms }) => ms);
  }

  /** Ends the pauses of an endpoint, as if their time had come; no lease lasts as long as they do. */
  async endPauses({ id }: TestWebhook): Promise<void> {
    await this.db.query(
      `WITH ended AS (
         UPDATE webhook_lanes SET due_at = now(), not_before = NULL
          WHERE webhook_id = $1 AND due_at > now() + $2 * interval '1.1 seconds' RETURNING lane
       )
       UPDATE webhook_deliveries d SET retry_at = now() FROM ended
        WHERE d.webhook_id = $1 AND d.lane = ended.lane AND d.retry_at > now()`,
      [id, LEASE_SECONDS],
    );
  }

  /** @throws Error unless a session waits for what another one has locked */
  async waitsForLock(): Promise<void> {
    const waiting = await this.db.query<unknown[]>(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    if (waiting.length === 0) throw new Error('Nobody waits for a lock.');
  }
}
