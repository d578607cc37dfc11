import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../kernel/config';
import { Metrics } from '../kernel/http';
import { AgentServerClient } from '../sandboxes/agent-server';
import { SandboxDrivers } from '../sandboxes/sandboxes';
import { modelEnvironment } from './agent-server-environment';
import { DockerDriver } from './docker/docker.driver';
import { ExternalDriver } from './external.driver';
import { isolatesNothing } from './isolation';
import { KubernetesDriver } from './kubernetes/kubernetes.driver';
import type { ProcessDriverOptions } from './processes/agent-processes';
import { ProcessDriver } from './processes/process.driver';

/** What starts an embedded agent server. */
export interface EmbeddedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export const EMBEDDED_COMMAND = Symbol('embedded agent server');

/** Registers the drivers that come with the service. */
@Injectable()
export class BuiltInDrivers {
  constructor(
    drivers: SandboxDrivers,
    @Inject(SETTINGS) settings: Settings,
    client: AgentServerClient,
    metrics: Metrics,
    @Inject(EMBEDDED_COMMAND) { command, args }: EmbeddedCommand,
  ) {
    const embedded: ProcessDriverOptions = {
      name: 'embedded',
      description: 'A small agent server that comes with the service, for trying out.',
      command: [command, ...args],
      commandSetting: null,
      environment: modelEnvironment(settings),
      withoutNamespaces: 'confined',
      // Trial sandboxes must not outlive the service.
      stopsWithService: true,
      builtInModel: 'echo',
      operatorNote: 'for trying things out; set SANDBOX_DRIVER=process for work',
    };
    const real: ProcessDriverOptions = {
      name: 'process',
      description: 'The real agent server, one process per sandbox on the host of the service.',
      command: settings.AGENT_SERVER_COMMAND.split(' ').filter((part) => part !== ''),
      commandSetting: 'AGENT_SERVER_COMMAND',
      environment: {},
      withoutNamespaces: 'refused',
      stopsWithService: false,
      builtInModel: null,
      operatorNote: isolatesNothing(settings)
        ? 'one agent server per sandbox on this machine; isolates nothing, for trusted users'
        : 'one agent server per sandbox on this machine, each in namespaces of its own',
    };
    for (const options of [embedded, real]) drivers.register(new ProcessDriver(settings, options));
    drivers.register(new DockerDriver(settings));
    drivers.register(new KubernetesDriver(settings, metrics));
    drivers.register(new ExternalDriver(settings, client));
  }
}
