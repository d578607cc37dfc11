import { AgentServerClient } from '../sandboxes/agent-server';
import type { Settings } from '../kernel/config';
import {
  type SandboxHandle,
  type DriverCapabilities,
  DriverError,
  type DriverProblem,
  type RunState,
  type SandboxDriver,
  type StartedServer,
} from '../sandboxes/driver-port';

/** A sandbox is a record over one agent server that runs already; nothing is started or ended here. */
export class ExternalDriver implements SandboxDriver {
  readonly name = 'external';
  readonly description = 'An agent server that runs already, shared by all sandboxes.';
  readonly capabilities: DriverCapabilities = {
    hostBound: false,
    sharedServer: true,
    singleOrganization: true,
    stopsWithService: false,
    unresponsiveAfterMs: 2_500,
    builtInModel: null,
  };

  constructor(
    private readonly settings: Settings,
    private readonly client: AgentServerClient,
  ) {}

  get sharedApiKey(): string | undefined {
    return this.settings.AGENT_SERVER_API_KEY;
  }

  get sharedBaseUrl(): string | undefined {
    return this.settings.AGENT_SERVER_URL?.replace(/\/+$/, '');
  }

  start({ id }: SandboxHandle): Promise<StartedServer> {
    const { sharedBaseUrl: baseUrl } = this;
    if (baseUrl === undefined)
      return Promise.reject(new DriverError('This installation has no external agent server any more.'));
    const url = new URL(baseUrl);
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    return Promise.resolve({ baseUrl, port, workingDir: `workspace/${id}` });
  }

  resume(sandbox: SandboxHandle): Promise<StartedServer> {
    return this.start(sandbox);
  }

  pause(): Promise<void> {
    return Promise.resolve();
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }

  /** The server answers for itself: health checks find out whether it is alive. */
  describe(): Promise<RunState> {
    return Promise.resolve(this.settings.AGENT_SERVER_URL === undefined ? 'missing' : 'running');
  }

  async problems(): Promise<readonly DriverProblem[]> {
    const baseUrl = this.sharedBaseUrl ?? '';
    const target = { baseUrl, apiKey: this.sharedApiKey ?? '' };
    if (!(await this.client.probes.health(target))) {
      const says = `No agent server answers at ${baseUrl}.`;
      return [{ isFatal: true, says, change: 'Start it, or correct AGENT_SERVER_URL.' }];
    }
    if (await this.client.probes.acceptsKey(target)) return [];
    const says = `The agent server at ${baseUrl} does not take the key of this service.`;
    return [
      {
        isFatal: true,
        says,
        change: 'Set AGENT_SERVER_API_KEY to the session key that it was started with.',
      },
    ];
  }

  async isAvailable(): Promise<boolean> {
    const { AGENT_SERVER_URL, AGENT_SERVER_API_KEY } = this.settings;
    if (AGENT_SERVER_URL === undefined) return false;
    return this.client.probes.health({ baseUrl: AGENT_SERVER_URL, apiKey: AGENT_SERVER_API_KEY ?? '' });
  }
}
