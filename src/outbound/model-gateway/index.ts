export { ModelGateway } from './model-gateway';
export { ModelGatewayModule } from './model-gateway.module';
