import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { AgentServerClient } from '../../agent-server';
import { SETTINGS, type Settings } from '../../config';
import { modelEnvironment } from './agent-server-environment';
import { ExternalDriver } from './external.driver';
import { ProcessDriver } from './process.driver';
import type { SandboxDriver } from './sandbox-driver';

/** All drivers: new sandboxes use the configured one, older ones may still need another. */
@Injectable()
export class SandboxDrivers {
  /** Those whose sandboxes live on this host. */
  readonly ofThisHost: readonly ProcessDriver[];
  readonly external: ExternalDriver;
  private readonly byName: ReadonlyMap<string, SandboxDriver>;

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
    this.external = new ExternalDriver(settings, client);
    this.byName = new Map([...this.ofThisHost, this.external].map((driver) => [driver.name, driver]));
  }

  /** The driver of new sandboxes. */
  get current(): SandboxDriver {
    return this.named(this.settings.SANDBOX_DRIVER);
  }

  named(name: string): SandboxDriver {
    const driver = this.byName.get(name);
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
