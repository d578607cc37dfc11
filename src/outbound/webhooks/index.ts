export { LaneDispatcher } from './delivery/lanes/lane-dispatcher';
export { SEALED_PREVIOUS_WEBHOOK_SECRETS, SEALED_WEBHOOK_SECRETS } from './secrets/sealed-secrets';
export { WebhooksModule } from './webhooks.module';
