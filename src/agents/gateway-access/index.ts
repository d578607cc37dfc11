export { GATEWAY_PATH, GatewayAccess, type ModelPlace, reportedModel } from './gateway-access';
export { GatewayAccessModule } from './gateway-access.module';
export { ModelKeys } from './model-keys';
