export { AuditModule } from './audit.module';
export { type AuditedDeed, AuditTrail, NoAuditTrail } from './audit-trail';
export { noteActor, noteReadOfOthers, noteTarget, type ReadOfOthers } from './audited-call';
export { type KnownCredential, KnownCredentials } from './known-credentials';
export type { Target } from './target';
