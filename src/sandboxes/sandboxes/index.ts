export { doorPath, SandboxReader } from './access/sandbox-reader';
export { OrganizationSandboxes } from './lifecycle/organization-sandboxes';
export { SandboxLifecycle } from './lifecycle/desired-state/sandbox-lifecycle';
export { AgentServersInReach } from './access/agent-servers-in-reach';
export { SandboxDrivers } from './record/sandbox-drivers';
export {
  SANDBOX_COLUMNS,
  SANDBOX_STATUSES,
  type SandboxAddress,
  type SandboxRow,
  type SandboxStatus,
  type SandboxView,
} from './record/sandbox-view';
export { running, type RunningSandbox } from './access/running-sandbox';
export { LastWords } from './access/last-words';
export { HostPresence } from './lifecycle/host-presence';
export { SandboxWaker } from './lifecycle/desired-state/sandbox-waker';
export { SandboxConversations } from './record/sandbox-conversations';
export {
  ConcurrencyLimitReachedError,
  DriverNotAvailableError,
  SandboxDriverUnavailableError,
  SandboxFailedError,
  SandboxNotFoundError,
  SandboxNotRunningError,
  TooManyWaitingCallsError,
} from './record/sandboxes.errors';
export { SandboxHostModule } from './hosts/sandbox-host.module';
export { Sandboxes } from './api/sandboxes';
export type { SandboxesOfDriver } from './lifecycle/sandboxes-by-driver.query';
export { SandboxesWithoutDriver } from './lifecycle/sandboxes-without-driver';
export { SandboxesModule } from './sandboxes.module';
export { WaitingCalls } from './access/waiting-calls';
export { SessionKeyVerifier, SandboxProof } from './access/session-key-verifier';
export { SEALED_SESSION_KEYS } from './record/sandbox-keys';
export { OWN_SANDBOX } from './api/sandboxes.dto';
export type { SandboxInfo } from './api/sandboxes.dto';
