export { OpenConnections } from './connections/open-connections';
export { SandboxAccessModule } from './sandbox-access.module';
