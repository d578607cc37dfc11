import { Registry } from 'prom-client';
import { AgentServerClient } from '../../../src/sandboxes/agent-server';
import { newId } from '../../../src/kernel/common';
import { readSettings, type Settings } from '../../../src/kernel/config';
import type { SandboxHandle } from '../../../src/sandboxes/driver-port/sandbox-driver';
import type { ClusterAccess } from '../../../src/drivers/kubernetes/cluster/cluster-access';
import { KubernetesDriver } from '../../../src/drivers/kubernetes/kubernetes.driver';
import { eventually } from '../eventually';
import { SANDBOX_IMAGE } from './test-cluster';

const INSTALLATION = newId();

/** The driver in this process, in a namespace of a cluster, with what a test does to its sandboxes. */
export class DriverInCluster {
  readonly client = new AgentServerClient();
  /** Sandboxes of which the driver said that something happened to them. */
  readonly noticed: string[] = [];
  readonly settings: Settings;
  readonly driver: KubernetesDriver;
  private readonly started: SandboxHandle[] = [];

  /** @param env settings that differ from those of small sandboxes */
  constructor(access: ClusterAccess, env: Readonly<Record<string, string>> = {}) {
    this.settings = readSettings({
      SANDBOX_DRIVER: 'kubernetes',
      SANDBOX_IMAGE,
      LLM_MODEL: 'echo',
      SANDBOX_MEMORY_MEBIBYTES: '256',
      SANDBOX_CPUS: '0.5',
      SANDBOX_DISK_MEBIBYTES: '64',
      KUBERNETES_NAMESPACE: access.namespace,
      KUBERNETES_POD_ACCESS: 'address',
      ...env,
    });
    this.driver = new KubernetesDriver(this.settings, { registry: new Registry() }, () =>
      Promise.resolve(access),
    );
    this.driver.onExit((id) => this.noticed.push(id));
  }

  /** A sandbox that is not there yet. */
  sandbox(orgId = newId()): SandboxHandle {
    const id = newId();
    const sandbox = { id, orgId, port: null, sessionKey: `key-of-${id}`, installationId: INSTALLATION };
    this.started.push(sandbox);
    return sandbox;
  }

  /** Starts one, and waits until it answers. */
  async running(sandbox = this.sandbox()): Promise<SandboxHandle> {
    await this.driver.start(sandbox);
    await this.answers(sandbox);
    return sandbox;
  }

  /** Waits until the agent server takes the sandbox's key. */
  async answers(sandbox: SandboxHandle): Promise<void> {
    await eventually(async () => {
      const server = this.server(sandbox);
      if (server === null || !(await this.client.probes.acceptsKey(server, { timeoutMs: 2_000 })))
        throw new Error(`Sandbox ${sandbox.id} does not answer: ${await this.driver.explain(sandbox)}`);
    });
  }

  /** Where its agent server is, with its key; null while it is nowhere. */
  server({ id, orgId, sessionKey }: SandboxHandle) {
    const location = this.driver.locate(`http://${id}.${orgId ?? ''}.sandbox:8000`);
    return location === null ? null : { ...location, apiKey: sessionKey };
  }

  /** Runs a command in a sandbox. @returns what it printed */
  async run(sandbox: SandboxHandle, command: string): Promise<string> {
    const server = this.server(sandbox);
    if (server === null) throw new Error('The sandbox is nowhere.');
    const { exitCode, stdout, stderr } = await this.client.workspace.executeBash(server, {
      command,
      cwd: '/workspace/project',
      timeoutSeconds: 60,
    });
    if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}: ${stderr}`);
    return stdout;
  }

  async close(): Promise<void> {
    for (const sandbox of this.started) await this.driver.delete(sandbox).catch(() => undefined);
    await this.driver.close();
    await this.client.onApplicationShutdown();
  }
}
