import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { DataSource } from 'typeorm';
import type { AgentServer } from '../../../src/sandboxes/agent-server';
import { type Caller, OrgResolution } from '../../../src/kernel/auth';
import { newId } from '../../../src/kernel/common';
import { ConfigModule, readSettings } from '../../../src/kernel/config';
import {
  ConversationAccess,
  ConversationQueue,
  PersonalConversations,
} from '../../../src/conversations/conversations';
import { DatabaseModule } from '../../../src/kernel/database';
import { DomainEvents, DomainEventsModule } from '../../../src/kernel/domain-events';
import { LargeResponses, Metrics } from '../../../src/kernel/http';
import { IdempotencyModule } from '../../../src/kernel/idempotency';
import { JobsModule } from '../../../src/kernel/jobs';
import {
  PendingMessagesModule,
  PendingQueueModule,
  QueueStore,
} from '../../../src/conversations/pending-messages';
import { FaultPoints } from '../../../src/kernel/leases';
import { PendingMessagesService } from '../../../src/conversations/pending-messages/queue/pending-messages.service';
import {
  SandboxLifecycle,
  SandboxReader,
  type SandboxStatus,
  type SandboxView,
} from '../../../src/sandboxes/sandboxes';

/** Everybody is a member of every organization, and acts in their current one. */
const MEMBERSHIPS = {
  mayUse: () => Promise.resolve(true),
  ofAsker: ({ currentOrgId }: Caller) => Promise.resolve({ orgId: currentOrgId, role: 'member' }),
};

/** Sandboxes in the states a test sets: all on one agent server, RUNNING by default. */
export class PlannedSandboxes implements Pick<SandboxReader, 'byId' | 'byIds' | 'conversationBaseOf'> {
  private readonly statuses = new Map<string, SandboxStatus>();

  constructor(private readonly server: AgentServer) {}

  set(id: string, status: SandboxStatus): void {
    this.statuses.set(id, status);
  }

  /** Changes a sandbox, and then announces the change, as the sandboxes module does. */
  async announced(id: string, status: SandboxStatus, replica: QueueReplica): Promise<void> {
    this.set(id, status);
    await replica.announce(id, status);
  }

  byId(id: string): Promise<SandboxView> {
    const status = this.statuses.get(id) ?? 'RUNNING';
    const isRunning = status === 'RUNNING';
    return Promise.resolve({
      id,
      orgId: '',
      createdByUserId: '',
      byLink: false,
      builtInModel: null,
      status,
      stopping: false,
      statusDetail: null,
      agentServer: isRunning ? this.server : null,
      publicUrl: isRunning ? this.server.baseUrl : null,
      conversationBase: isRunning ? this.server.baseUrl : null,
      sessionApiKey: null,
      workingDir: '/',
      sharesServer: false,
      runsCommands: true,
    });
  }

  conversationBaseOf(): string {
    return this.server.baseUrl;
  }

  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, SandboxView>> {
    const views = await Promise.all(ids.map((id) => this.byId(id)));
    return new Map(views.map((view) => [view.id, view]));
  }
}

class UntouchedSandboxes implements Pick<
  SandboxLifecycle,
  'create' | 'resume' | 'lock' | 'delete' | 'giveBack' | 'touch'
> {
  create(): Promise<string> {
    return Promise.reject(new Error('No sandboxes are made here.'));
  }
  resume(): Promise<void> {
    return Promise.resolve();
  }
  lock(): Promise<void> {
    return Promise.resolve();
  }
  delete(): Promise<void> {
    return Promise.resolve();
  }
  giveBack(): Promise<void> {
    return Promise.resolve();
  }
  touch(): void {
    // Nothing is idle here.
  }
}

export interface QueueReplicaOptions {
  readonly databaseUrl: string;
  readonly sandboxes: Pick<SandboxReader, 'byId'>;
  /** Settings, by their names in the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called at each fault point of a delivery. */
  readonly onStep?: FaultPoints['reached'];
}

/** The part of the service that delivers messages: queue, delivery and jobs, without HTTP. */
export class QueueReplica {
  private constructor(private readonly context: INestApplicationContext) {}

  static async start({ databaseUrl, sandboxes, env, onStep }: QueueReplicaOptions): Promise<QueueReplica> {
    const settings = readSettings({
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      DATABASE_URL: databaseUrl,
      JOB_LEASE_SECONDS: '2',
      DELIVERY_SETTLE_SECONDS: '0.4',
      SEND_TIMEOUT_SECONDS: '0.5',
      ...env,
    });
    const ports = [
      { provide: SandboxReader, useValue: sandboxes },
      { provide: SandboxLifecycle, useClass: UntouchedSandboxes },
      { provide: OrgResolution, useValue: MEMBERSHIPS },
      { provide: ConversationQueue, useExisting: QueueStore },
      // Asked for those only whom the link of an administrator let in.
      { provide: ConversationAccess, useValue: null },
      // Nobody is erased here.
      { provide: PersonalConversations, useValue: null },
      LargeResponses,
      Metrics,
    ];
    @Global()
    @Module({ imports: [PendingQueueModule], providers: ports, exports: ports })
    class Dependencies {}
    @Module({
      imports: [
        ConfigModule.forRoot(settings, 'test'),
        DatabaseModule.forRoot(databaseUrl),
        IdempotencyModule,
        JobsModule,
        DomainEventsModule.forRoot({}),
        Dependencies,
        PendingMessagesModule,
      ],
    })
    class Replica {}
    const context = await NestFactory.createApplicationContext(Replica, {
      logger: false,
      abortOnError: false,
    });
    if (onStep) Object.assign(context.get(FaultPoints), { reached: onStep });
    return new QueueReplica(context);
  }

  get db(): DataSource {
    return this.context.get(DataSource);
  }

  get messages(): PendingMessagesService {
    return this.context.get(PendingMessagesService);
  }

  get queue(): ConversationQueue {
    return this.context.get(ConversationQueue);
  }

  /** Announces the change of a sandbox, as the sandboxes module does. */
  announce(sandboxId: string, status: SandboxStatus): Promise<void> {
    return this.inTransaction((transaction) => this.announceIn(transaction, sandboxId, status));
  }

  /** Like {@link announce}, but leaves the transaction open. */
  announceIn(transaction: EntityManager, sandboxId: string, status: SandboxStatus): Promise<void> {
    return this.context.get(DomainEvents).publish(transaction, {
      kind: 'sandbox.status_changed',
      org_id: newId(),
      sandbox_id: sandboxId,
      status,
      stopping: false,
      status_detail: null,
    });
  }

  /** Announces what an agent does now, as the conversations module does after a webhook. */
  announceAgent(conversationId: string, executionStatus: string): Promise<void> {
    return this.inTransaction((transaction) =>
      this.announceAgentIn(transaction, conversationId, executionStatus),
    );
  }

  /** Like {@link announceAgent}, but leaves the transaction open. */
  async announceAgentIn(
    transaction: EntityManager,
    conversationId: string,
    executionStatus: string,
  ): Promise<void> {
    const event = {
      kind: 'conversation.status_changed' as const,
      org_id: newId(),
      conversation_id: conversationId,
      start_state: 'ready',
      execution_status: executionStatus,
    };
    await transaction.query(
      `WITH logged AS (
         INSERT INTO domain_events (org_id, conversation_id, kind, event) VALUES ($1, $2, $3, $4) RETURNING id)
       SELECT note_logged(id::text) FROM logged`,
      [event.org_id, conversationId, event.kind, event],
    );
    await this.context.get(DomainEvents).publishLogged(transaction, event.kind);
  }

  /** Announces in a transaction that a budget of an organization was changed, as the budgets module does. */
  async announceBudget(transaction: EntityManager, orgId: string, budgetId: string): Promise<void> {
    await this.context.get(DomainEvents).publish(transaction, {
      kind: 'budget.updated',
      org_id: orgId,
      budget_id: budgetId,
      scope: 'organization',
      subject: null,
      period: 'total',
      limit_usd: 20,
      limit_tokens: null,
      user_id: newId(),
      fields: ['limit_usd'],
    });
  }

  inTransaction<T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.db.transaction(work);
  }

  stop(): Promise<void> {
    return this.context.close();
  }
}

/** The caller, as authentication provides it. */
export function callerOf(userId: string, orgId: string | null = null): Caller {
  return {
    userId,
    email: `${userId}@example.com`,
    name: null,
    keyId: 0,
    keyName: null,
    keyExpiresAt: null,
    boundOrgId: null,
    letInBy: null,
    identityProviderId: null,
    scopes: null,
    addresses: null,
    ownKey: null,
    currentOrgId: orgId,
    selectedOrgId: null,
  };
}
