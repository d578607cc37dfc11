import { type DynamicModule, Module } from '@nestjs/common';
import { HOST_ID } from './hosts';

/** Provides the id of this host. */
@Module({})
export class SandboxHostModule {
  /** @param hostId who this host is among those that run sandboxes */
  static forRoot(hostId: string): DynamicModule {
    const providers = [{ provide: HOST_ID, useValue: hostId }];
    return { module: SandboxHostModule, global: true, providers, exports: [HOST_ID] };
  }
}
