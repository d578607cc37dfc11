export {
  SANDBOX_STATUSES,
  SandboxLifecycle,
  SandboxObservers,
  SandboxReader,
  type SandboxAddress,
  type SandboxChange,
  type SandboxObserver,
  type SandboxStatus,
  type SandboxView,
} from './ports';
export { SandboxConversations } from './sandbox-conversations';
export { ConcurrencyLimitReachedError, DriverNotAvailableError } from './sandboxes.errors';
export { SandboxesModule } from './sandboxes.module';
export { SessionKeyVerifier } from './session-key-verifier';
