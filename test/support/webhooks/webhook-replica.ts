import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, readSettings } from '../../../src/config';
import { DatabaseModule } from '../../../src/database';
import { DomainEventsModule } from '../../../src/domain-events';
import { Metrics } from '../../../src/http';
import { JobsModule } from '../../../src/jobs';
import { DeliveryModule } from '../../../src/webhooks/delivery/delivery.module';
import { FanOutModule } from '../../../src/webhooks/fan-out/fan-out.module';
import { WebhookFaultPoints } from '../../../src/webhooks/queue/webhook-fault-points';

export interface WebhookReplicaOptions {
  readonly databaseUrl: string;
  /** As `WEBHOOK_ALLOWED_HOSTS`. */
  readonly host: string;
  readonly leaseSeconds: number;
  readonly secretKey: string;
  readonly onStep: WebhookFaultPoints['reached'];
}

/** The part of the service that makes callbacks: the log of domain events, fan-out and delivery, without HTTP. */
export async function startWebhookReplica({
  databaseUrl,
  host,
  leaseSeconds,
  secretKey,
  onStep,
}: WebhookReplicaOptions): Promise<INestApplicationContext> {
  const settings = readSettings({
    SECRET_KEY: 'a-secret-key-of-tests-0123456789',
    DATABASE_URL: databaseUrl,
    JOB_LEASE_SECONDS: String(leaseSeconds),
    WEBHOOK_ALLOWED_HOSTS: host,
  });
  @Global()
  @Module({ providers: [Metrics], exports: [Metrics] })
  class Dependencies {}
  @Module({
    imports: [
      ConfigModule.forRoot(settings, secretKey),
      DatabaseModule.forRoot(databaseUrl),
      JobsModule,
      DomainEventsModule,
      Dependencies,
      FanOutModule,
      DeliveryModule,
    ],
  })
  class Replica {}
  const context = await NestFactory.createApplicationContext(Replica, { logger: false, abortOnError: false });
  Object.assign(context.get(WebhookFaultPoints, { strict: false }), { reached: onStep });
  return context;
}
