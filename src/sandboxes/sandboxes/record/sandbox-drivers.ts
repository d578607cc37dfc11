import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { StartError, takeAll } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { outsideOfSpans } from '../../../kernel/telemetry';
import type { SandboxDriver } from '../../driver-port';

/**
 * All drivers: new sandboxes use the configured one, older ones may still need another. They are registered in the
 * constructor of a provider, those of extensions too (docs/extending.md).
 */
@Injectable()
export class SandboxDrivers implements OnModuleInit, OnApplicationShutdown {
  private readonly exitListeners: ((sandboxId: string) => void)[] = [];
  private readonly byName = new Map<string, SandboxDriver>();
  private closed: Promise<void> | undefined;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Fails the start, rather than the first sandbox. */
  async onModuleInit(): Promise<void> {
    const name = this.settings.SANDBOX_DRIVER;
    if (this.find(name) === undefined)
      throw new StartError(
        `There is no sandbox driver ${name}. The extension that names it has to register it.`,
      );
    await this.current.open?.();
  }

  /** Once the sandboxes that stop with the service have. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /**
   * Ends what drivers have pre-warmed and keep open, once.
   * @internal
   */
  close(): Promise<void> {
    return (this.closed ??= this.closeAll());
  }

  /** One of an extension that fails keeps none from ending. */
  private closeAll(): Promise<void> {
    return takeAll([...this.byName.values()].map((driver) => async () => driver.close?.()));
  }

  /** Adds a driver, under a name that no other has. */
  register(driver: SandboxDriver): void {
    if (this.byName.has(driver.name)) throw new StartError(`There are two sandbox drivers ${driver.name}.`);
    this.byName.set(driver.name, driver);
    driver.onExit?.((sandboxId) => {
      outsideOfSpans(() => {
        for (const listener of this.exitListeners) listener(sandboxId);
      });
    });
  }

  /**
   * @param listener is called when a driver, registered before or after, notices that a sandbox ended
   * @internal
   */
  onExit(listener: (sandboxId: string) => void): void {
    this.exitListeners.push(listener);
  }

  /** @internal */
  names(): string[] {
    return [...this.byName.keys()];
  }

  /**
   * The names of the drivers whose sandboxes stop with the service.
   * @internal
   */
  stoppingWithService(): string[] {
    return [...this.byName.values()]
      .filter(({ capabilities }) => capabilities.stopsWithService)
      .map(({ name }) => name);
  }

  /**
   * The drivers whose sandboxes live on something that several hosts may work with.
   * @internal
   */
  withSharedHost(): (SandboxDriver & Required<Pick<SandboxDriver, 'sharedHost'>>)[] {
    return [...this.byName.values()].filter(sharesHost);
  }

  /**
   * Whether one agent server serves all sandboxes of a driver; false for one that is not there any more.
   * @internal
   */
  sharesServer(name: string): boolean {
    return this.find(name)?.capabilities.sharedServer ?? false;
  }

  /**
   * The names of the drivers whose sandboxes share an agent server.
   * @internal
   */
  sharingServers(): string[] {
    return this.names().filter((name) => this.sharesServer(name));
  }

  /** The driver of new sandboxes. */
  get current(): SandboxDriver {
    return this.named(this.settings.SANDBOX_DRIVER);
  }

  /** Undefined for one that is not there any more. */
  find(name: string): SandboxDriver | undefined {
    return this.byName.get(name);
  }

  named(name: string): SandboxDriver {
    const driver = this.find(name);
    if (driver === undefined) throw new Error(`There is no sandbox driver ${name}.`);
    return driver;
  }
}

function sharesHost(
  driver: SandboxDriver,
): driver is SandboxDriver & Required<Pick<SandboxDriver, 'sharedHost'>> {
  return driver.sharedHost !== undefined;
}
