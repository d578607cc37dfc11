/**
 * What tests of extensions import from `org-conversation-service/testing` (docs/extending.md). The service itself loads
 * none of it.
 */
export { describeDriver, type TestRunner } from './driver-suite';
export type { DriverFixture, DriverUnderTest, Env } from './driver-under-test';
export type { CommandResult, SandboxRecord, ServiceUnderTest } from './service-under-test';
