import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, readSettings } from '../../../src/kernel/config';
import { DatabaseModule } from '../../../src/kernel/database';
import { DomainEventsModule } from '../../../src/kernel/domain-events';
import { Metrics } from '../../../src/kernel/http';
import { JobsModule } from '../../../src/kernel/jobs';
import { DeliveryModule } from '../../../src/outbound/webhooks/delivery.module';
import { FaultPoints } from '../../../src/kernel/leases';

export interface WebhookReplicaOptions {
  readonly databaseUrl: string;
  /** As `WEBHOOK_ALLOWED_HOSTS`. */
  readonly host: string;
  readonly leaseSeconds: number;
  readonly secretKey: string;
  readonly onStep: FaultPoints['reached'];
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
      DomainEventsModule.forRoot({}),
      Dependencies,
      DeliveryModule,
    ],
  })
  class Replica {}
  const context = await NestFactory.createApplicationContext(Replica, { logger: false, abortOnError: false });
  Object.assign(context.get(FaultPoints, { strict: false }), { reached: onStep });
  return context;
}
