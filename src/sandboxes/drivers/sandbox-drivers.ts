import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AgentServerClient } from '../../agent-server';
import { SETTINGS, type Settings } from '../../config';
import { modelEnvironment } from './agent-server-environment';
import { ExternalDriver } from './external.driver';
import { ProcessDriver } from './process.driver';
import type { SandboxDriver } from './sandbox-driver';

/**
 * All drivers: new sandboxes use the configured one, older ones may still need another. Extensions register
 * theirs in the constructor of a provider (docs/extending.md).
 */
@Injectable()
export class SandboxDrivers implements OnModuleInit {
  /** Those whose sandboxes live on this host. */
  readonly ofThisHost: readonly ProcessDriver[];
  private readonly byName = new Map<string, SandboxDriver>();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    client: AgentServerClient,
  ) {
    this.ofThisHost = [
      new ProcessDriver(settings, {
        name: 'embedded',
        description: 'A small agent server that comes with the service, for trying out.',
        command: embeddedCommand(),
        environment: modelEnvironment(settings),
        ownUsers: false,
      }),
      new ProcessDriver(settings, {
        name: 'process',
        description: 'The real agent server, one process per sandbox on the host of the service.',
        command: settings.AGENT_SERVER_COMMAND.split(' ').filter((part) => part !== ''),
        environment: {},
        ownUsers: true,
      }),
    ];
    for (const driver of [...this.ofThisHost, new ExternalDriver(settings, client)]) this.register(driver);
  }

  /** Fails the start, rather than the first sandbox. */
  onModuleInit(): void {
    this.named(this.settings.SANDBOX_DRIVER);
  }

  /** Adds a driver, under a name that no other has. */
  register(driver: SandboxDriver): void {
    if (this.byName.has(driver.name)) throw new Error(`There are two sandbox drivers ${driver.name}.`);
    this.byName.set(driver.name, driver);
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

/** The built agent server; where the service itself runs from its sources, as tests do, that one's sources. */
function embeddedCommand(): string[] {
  const main = join(__dirname, '..', '..', 'agent-server', 'embedded', 'main');
  const built = `${main}.js`;
  return existsSync(built)
    ? [process.execPath, built]
    : [process.execPath, '-r', require.resolve('@swc-node/register'), `${main}.ts`];
}
