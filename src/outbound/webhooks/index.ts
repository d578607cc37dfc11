export { WebhookCleanUp } from './upkeep/webhook-clean-up';
export { LaneDispatcher } from './delivery/lanes/lane-dispatcher';
export { SEALED_PREVIOUS_WEBHOOK_SECRETS, SEALED_WEBHOOK_SECRETS } from './secrets/webhook-secrets';
export { WebhooksModule } from './webhooks.module';
