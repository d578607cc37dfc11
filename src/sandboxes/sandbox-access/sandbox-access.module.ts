import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { AgentServerModule } from '../agent-server';
import { doorPath } from '../sandboxes';
import { AdmissionMemory } from './admission/admission-memory';
import { DoorAdmission } from './admission/door-admission';
import { DoorSandboxes } from './admission/door-sandboxes';
import { AgentServerRoutes } from './connections/agent-server-routes';
import { ConnectionWatch } from './connections/connection-watch';
import { DoorMetrics } from './connections/door-metrics';
import { OpenConnections } from './connections/open-connections';
import { DoorOperations } from './door-operations';
import { DoorMiddleware } from './door.middleware';
import { HealthQuestion } from './http/health-question';
import { HttpDoor } from './http/http-door';
import { SocketDoor } from './sockets/socket-door';
import { UnknownCallers } from './sockets/unknown-callers';

/** The door: one address of the service through which callers reach the agent servers of their sandboxes. */
@Module({
  imports: [AgentServerModule],
  providers: [
    AdmissionMemory,
    DoorAdmission,
    DoorSandboxes,
    AgentServerRoutes,
    ConnectionWatch,
    DoorMetrics,
    OpenConnections,
    DoorOperations,
    HealthQuestion,
    HttpDoor,
    SocketDoor,
    UnknownCallers,
  ],
  exports: [OpenConnections, UnknownCallers],
})
export class SandboxAccessModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const path = `${doorPath(':sandbox_id')}{/*path}`;
    consumer.apply(DoorMiddleware).forRoutes({ path, method: RequestMethod.ALL });
  }
}
