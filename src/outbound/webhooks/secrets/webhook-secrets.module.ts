import { Module } from '@nestjs/common';
import { WebhookSecrets } from './webhook-secrets';

/** The secrets of webhooks. */
@Module({ providers: [WebhookSecrets], exports: [WebhookSecrets] })
export class WebhookSecretsModule {}
