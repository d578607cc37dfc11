export { AuditModule } from './audit.module';
export { type AuditedDeed, AuditTrail, NoAuditTrail } from './audit-trail';
export { CommandSubscriber, inCommand } from './command-subscriber';
export {
  noteActor,
  type NotedActor,
  noteReadOfOthers,
  noteTarget,
  type ReadOfOthers,
} from './calls/audited-call';
export { type KnownCredential, KnownCredentials } from './writing/known-credentials';
export type { Target } from './calls/target';
