import { Injectable } from '@nestjs/common';
import type { DriverCapabilities, RunState, StartedServer } from '../record/sandbox-driver';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { SandboxKeys } from '../record/sandbox-keys';
import type { Sandbox } from '../record/sandbox.entity';

/** Runs stored sandboxes with the driver they were made with. Errors are those of the drivers. */
@Injectable()
export class SandboxRuntime {
  constructor(
    private readonly drivers: SandboxDrivers,
    private readonly keys: SandboxKeys,
  ) {}

  capabilities({ driver }: Sandbox): DriverCapabilities {
    return this.drivers.named(driver).capabilities;
  }

  /** Starts a sandbox that never ran, or resumes one that did. @throws DriverError */
  launch(sandbox: Sandbox): Promise<StartedServer> {
    const driver = this.drivers.named(sandbox.driver);
    const handle = this.keys.handleOf(sandbox);
    return sandbox.workingDir === null ? driver.start(handle) : driver.resume(handle);
  }

  pause(sandbox: Sandbox): Promise<void> {
    return this.drivers.named(sandbox.driver).pause(this.keys.handleOf(sandbox));
  }

  /** As pause, within the time that a stopping service has. */
  stopNow(sandbox: Sandbox): Promise<void> {
    const driver = this.drivers.named(sandbox.driver);
    const handle = this.keys.handleOf(sandbox);
    return driver.stopNow === undefined ? driver.pause(handle) : driver.stopNow(handle);
  }

  delete(sandbox: Sandbox): Promise<void> {
    return this.drivers.named(sandbox.driver).delete(this.keys.handleOf(sandbox));
  }

  describe(sandbox: Sandbox): Promise<RunState> {
    return this.drivers.named(sandbox.driver).describe(this.keys.handleOf(sandbox));
  }

  /** The user whose listener its agent server is, as its driver recorded it. */
  async listenerUid(sandbox: Sandbox): Promise<number | null> {
    const driver = this.drivers.find(sandbox.driver);
    return (await driver?.listenerUid?.(this.keys.handleOf(sandbox))) ?? null;
  }

  /** Whether the driver finds the sandbox running; its agent server need not answer. */
  async isRunning(sandbox: Sandbox): Promise<boolean> {
    return (await this.describe(sandbox)) === 'running';
  }
}
