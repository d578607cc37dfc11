export {
  type DriverCapabilities,
  DriverError,
  type DriverProblem,
  type LogLimit,
  type RunState,
  type SandboxDriver,
  type SandboxHandle,
  type ServerLocation,
  type StartedServer,
} from './sandbox-driver';
