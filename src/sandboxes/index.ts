export {
  SANDBOX_COLUMNS,
  SANDBOX_STATUSES,
  SandboxLifecycle,
  SandboxObservers,
  SandboxReader,
  SandboxRows,
  type SandboxAddress,
  type SandboxChange,
  type SandboxObserver,
  type SandboxRow,
  type SandboxStatus,
  type SandboxView,
} from './ports';
export { SandboxConversations } from './sandbox-conversations';
export { ConcurrencyLimitReachedError, DriverNotAvailableError } from './sandboxes.errors';
export { SandboxesModule } from './sandboxes.module';
export { SessionKeyVerifier } from './session-key-verifier';
