import { Module } from '@nestjs/common';
import { GatewayAccess } from './gateway-access';
import { ModelKeys } from './model-keys';

/** The address and the key with which agents call the gateway for models. */
@Module({ providers: [GatewayAccess, ModelKeys], exports: [GatewayAccess, ModelKeys] })
export class GatewayAccessModule {}
