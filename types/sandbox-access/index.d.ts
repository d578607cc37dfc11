export { OpenConnections } from './connections/open-connections';
export { HttpDoor } from './http/http-door';
export { SandboxAccessModule } from './sandbox-access.module';
export { UnknownCallers } from './sockets/unknown-callers';
