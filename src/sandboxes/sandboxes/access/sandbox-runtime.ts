import { Injectable } from '@nestjs/common';
import { SandboxDrivers } from '../record/sandbox-drivers';
import { Installation } from '../record/installation/installation';
import type {
  DriverCapabilities,
  LogLimit,
  RunState,
  SandboxDriver,
  SandboxHandle,
  StartedServer,
} from '../../driver-port';
import { SandboxKeys } from '../record/sandbox-keys';
import type { Sandbox } from '../record/sandbox.entity';

/** Runs stored sandboxes with the driver they were made with. Errors are those of the drivers. */
@Injectable()
export class SandboxRuntime {
  constructor(
    private readonly drivers: SandboxDrivers,
    private readonly keys: SandboxKeys,
    private readonly installation: Installation,
  ) {}

  capabilities({ driver }: Sandbox): DriverCapabilities {
    return this.drivers.named(driver).capabilities;
  }

  /** False for one whose driver was removed with its extension. */
  hasDriver({ driver }: Sandbox): boolean {
    return this.drivers.find(driver) !== undefined;
  }

  /** Starts a sandbox that never ran, or resumes one that did. @throws DriverError */
  launch(sandbox: Sandbox): Promise<StartedServer> {
    return this.with(sandbox, (driver, handle) =>
      sandbox.workingDir === null ? driver.start(handle) : driver.resume(handle),
    );
  }

  pause(sandbox: Sandbox): Promise<void> {
    return this.with(sandbox, (driver, handle) => driver.pause(handle));
  }

  /** As pause, within the time that a stopping service has. */
  stopNow(sandbox: Sandbox): Promise<void> {
    return this.with(sandbox, (driver, handle) =>
      driver.stopNow === undefined ? driver.pause(handle) : driver.stopNow(handle),
    );
  }

  delete(sandbox: Sandbox): Promise<void> {
    return this.with(sandbox, (driver, handle) => driver.delete(handle));
  }

  describe(sandbox: Sandbox): Promise<RunState> {
    return this.with(sandbox, (driver, handle) => driver.describe(handle));
  }

  /**
   * Why a sandbox does not run, as far as the driver knows.
   * @returns a sentence, with a space before it, to be added to another; empty where nothing is known
   */
  async explanation(sandbox: Sandbox): Promise<string> {
    // Also works for a driver that was removed.
    const driver = this.drivers.find(sandbox.driver);
    const sentence = await driver?.explain?.(await this.handleOf(sandbox));
    return sentence === null || sentence === undefined ? '' : ` ${sentence}`;
  }

  /** The last lines that its agent server wrote; null where the driver has none to show. */
  async logs(sandbox: Sandbox, limit: LogLimit): Promise<readonly string[] | null> {
    const driver = this.drivers.find(sandbox.driver);
    if (driver?.logs === undefined || driver.capabilities.sharedServer) return null;
    return driver.logs(await this.handleOf(sandbox), limit);
  }

  /** Whether the driver finds the sandbox running; its agent server need not answer. */
  async isRunning(sandbox: Sandbox): Promise<boolean> {
    return (await this.describe(sandbox)) === 'running';
  }

  private async with<Result>(
    sandbox: Sandbox,
    act: (driver: SandboxDriver, handle: SandboxHandle) => Promise<Result>,
  ): Promise<Result> {
    return act(this.drivers.named(sandbox.driver), await this.handleOf(sandbox));
  }

  private async handleOf(sandbox: Sandbox): Promise<SandboxHandle> {
    const { id, orgId, port, sealedSessionKey } = sandbox;
    const sessionKey = this.keys.open(id, sealedSessionKey) ?? '';
    return { id, orgId, port, sessionKey, installationId: await this.installation.id() };
  }
}
