export { staysBelowRoot } from './admission/door-target';
export { OpenConnections } from './connections/open-connections';
export { HttpDoor } from './http/http-door';
export { DESCRIBES_BODY } from './http/response-headers';
export { PathNotPassableError } from './sandbox-access.errors';
export { SandboxAccessModule } from './sandbox-access.module';
export { UnknownCallers } from './sockets/unknown-callers';
