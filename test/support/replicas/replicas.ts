import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { AgentServerDouble } from '../agent-server/agent-server-double';
import { ServiceProcess } from '../service/service-process';

/** How replicas are started. */
export interface ReplicaOptions {
  readonly ports: readonly number[];
  /** The address of the database that each replica gets, in the order of the ports. */
  readonly databaseUrls: readonly string[];
  readonly double: AgentServerDouble;
  readonly env?: Readonly<Record<string, string>>;
}

/** Replicas of the service, each a process of its own with a folder of its own, over one database. */
export class Replicas {
  /** The key of the first user. */
  readonly key = newKey();
  private readonly processes: ServiceProcess[] = [];

  private constructor(
    private readonly folder: string,
    private readonly options: ReplicaOptions,
  ) {}

  /** Starts all, one after the other, and waits until they are ready. */
  static async start(options: ReplicaOptions): Promise<Replicas> {
    const replicas = new Replicas(await mkdtemp(join(tmpdir(), 'replicas-')), options);
    for (const index of options.ports.keys()) await replicas.launch(index);
    return replicas;
  }

  /** Starts one that is not running. @returns its address */
  async launch(index: number): Promise<string> {
    const { ports, databaseUrls, double, env } = this.options;
    const started = ServiceProcess.start({
      PORT: String(ports[index]),
      DATA_DIR: join(this.folder, String(index)),
      DATABASE_URL: databaseUrls[index] ?? '',
      SECRET_KEY: 'shared by replicas: 0123456789abcdef',
      BOOTSTRAP_KEY: this.key,
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: double.url,
      AGENT_SERVER_API_KEY: double.target.apiKey,
      LLM_MODEL: 'echo',
      SEND_CALLS_PER_MINUTE: '0',
      READ_CALLS_PER_MINUTE: '0',
      ...env,
    });
    this.processes[index] = started;
    return started.ready;
  }

  /** The process of one. */
  process(index: number): ServiceProcess {
    const found = this.processes[index];
    if (found === undefined) throw new Error(`There is no replica ${index}.`);
    return found;
  }

  /** The address of one. */
  url(index: number): string {
    return `http://127.0.0.1:${this.options.ports[index]}`;
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((replica) => replica.stop('SIGKILL')));
    await rm(this.folder, { recursive: true, force: true });
  }
}
