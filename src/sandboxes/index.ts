export {
  SANDBOX_STATUSES,
  SandboxLifecycle,
  SandboxObservers,
  SandboxReader,
  type SandboxChange,
  type SandboxObserver,
  type SandboxStatus,
  type SandboxView,
} from './ports';
