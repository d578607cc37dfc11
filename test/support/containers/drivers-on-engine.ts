import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../src/kernel/common';
import { readSettings, type Settings } from '../../../src/kernel/config';
import { DockerDriver } from '../../../src/drivers/docker/docker.driver';
import type { SandboxHandle } from '../../../src/sandboxes/driver-port/sandbox-driver';
import { type DockerFixture, openDocker } from '../../conformance/docker-fixture';
import { eventually } from '../eventually';

/** Drivers of containers of one installation, without a service, on an engine of their own. */
export class DriversOnEngine {
  readonly installationId = randomUUID();
  private readonly drivers: DockerDriver[] = [];

  private constructor(
    readonly fixture: DockerFixture,
    private readonly folder: string,
    /** Stands for the service: containers may reach it. */
    private readonly service: Server,
  ) {}

  static async open(): Promise<DriversOnEngine> {
    const fixture = await openDocker();
    const folder = await mkdtemp(join(tmpdir(), 'docker-driver-'));
    return new DriversOnEngine(fixture, folder, await listenerAt(fixture.host));
  }

  async close(): Promise<void> {
    await this.closeDrivers();
    this.service.close();
    await this.fixture.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  get servicePort(): number {
    return portOf(this.service);
  }

  settings(env: Record<string, string> = {}): Settings {
    const CALLBACK_URL = `http://${this.fixture.host}:${this.servicePort}`;
    return readSettings({ ...this.fixture.env, DATA_DIR: this.folder, CALLBACK_URL, ...env });
  }

  driver(env: Record<string, string> = {}): DockerDriver {
    const driver = new DockerDriver(this.settings(env));
    this.drivers.push(driver);
    return driver;
  }

  newSandbox(): SandboxHandle {
    const { installationId } = this;
    return { id: newId(), sessionKey: randomUUID(), port: null, orgId: null, installationId };
  }

  docker(...args: string[]): Promise<string> {
    return this.fixture.engine.docker(...args);
  }

  /** Runs a program of Node.js in a container. @returns what it prints */
  inside(sandboxId: string, script: string): Promise<string> {
    return this.docker('exec', `sandbox-${sandboxId}`, 'node', '-e', script);
  }

  volumeOf(sandboxId: string): Promise<string> {
    return this.docker('inspect', '--format', '{{(index .Mounts 0).Name}}', `sandbox-${sandboxId}`);
  }

  /** An image like that of the others, with an instruction more. */
  async deriveImage(name: string, instruction: string): Promise<string> {
    const made = await this.docker('create', this.settings().SANDBOX_IMAGE ?? '');
    await this.docker('commit', '--change', instruction, made, name);
    await this.docker('rm', made);
    return name;
  }

  /** The names of all that the engine has, but for what measures disk now and then. */
  async left(): Promise<string[]> {
    const all = await Promise.all([
      this.docker('ps', '--all', '--format', '{{.Names}}'),
      this.docker('volume', 'ls', '--format', '{{.Name}}'),
      this.docker('network', 'ls', '--filter', 'type=custom', '--format', '{{.Name}}'),
    ]);
    return all.flatMap((names) =>
      names.split('\n').filter((name) => name !== '' && !name.startsWith('measure-')),
    );
  }

  /** Has a container pre-warmed. @returns its name */
  async makeAhead(driver: DockerDriver): Promise<string> {
    await driver.ids(this.installationId);
    const address = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
    return eventually(async () => {
      const names = await this.docker('ps', '--filter', 'name=warm-', '--format', '{{.Names}}');
      const [name = ''] = names.split('\n');
      const host = await this.docker('inspect', '--format', address, name);
      expect((await fetch(`http://${host}:8000/ready`)).status).toBe(200);
      return name;
    });
  }

  /** Removes those that were pre-warmed meanwhile. */
  async makeNoMore(): Promise<void> {
    await this.closeDrivers();
    const none = this.driver({ SANDBOX_WARM: '0' });
    await eventually(async () => {
      await none.ids(this.installationId);
      expect(await this.left()).toEqual([]);
    });
  }

  private async closeDrivers(): Promise<void> {
    for (const driver of this.drivers.splice(0)) await driver.close();
  }
}

/** Something that takes connections at an address. */
export async function listenerAt(host: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, host, listening));
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
