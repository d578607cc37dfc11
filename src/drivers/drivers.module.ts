import { type DynamicModule, Module } from '@nestjs/common';
import { AgentServerModule } from '../sandboxes/agent-server';
import { BuiltInDrivers, EMBEDDED_COMMAND, type EmbeddedCommand } from './built-in-drivers';

/** The drivers of sandboxes: processes, containers, pods, or one agent server elsewhere. */
@Module({})
export class DriversModule {
  static forRoot(embeddedCommand: EmbeddedCommand): DynamicModule {
    return {
      module: DriversModule,
      imports: [AgentServerModule],
      providers: [{ provide: EMBEDDED_COMMAND, useValue: embeddedCommand }, BuiltInDrivers],
    };
  }
}
