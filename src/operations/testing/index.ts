/**
 * What tests of extensions import from `org-conversation-service/testing` (docs/extending.md). The service itself loads
 * none of it.
 */
export { checkBody, type CheckedBody } from './check-body';
export { describeDriver, type TestRunner } from './driver-suite';
export type { DriverFixture, DriverUnderTest, Env } from './driver-under-test';
export { eventually } from './eventually';
export { ServiceProcess } from './service-process';
export {
  type Answer,
  type CallOptions,
  type ClockUnderTest,
  type ServiceOptions,
  ServiceUnderTest,
} from './service-under-test';
export type { CommandResult, SandboxRecord, ServiceWithDriver } from './service-with-driver';
