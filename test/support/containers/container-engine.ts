import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../compiled/compiled-sources';
import { eventually } from '../eventually';
import { describeNeeding } from '../needs';
import { environmentOfRun } from '../run/worker-folder';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** What the Dockerfile begins with. */
const BASE_IMAGE = 'docker.io/library/node:24-bookworm-slim';
/** What the kit makes, with this machine's Node and npm. */
const KIT_IMAGE = 'kit-base:latest';

/** The folder with the programs `engine` and `base-image`, which start one and give it the base of our image. */
const kit = process.env.CONTAINER_KIT;

/**
 * Like `describe`, for tests that need a container engine: `CONTAINER_KIT` says how to start one. Without it they fail
 * where `REQUIRE_ENGINES` is set; elsewhere they are skipped.
 */
export function describeWithEngine(name: string, tests: () => void): void {
  const isThere = hasContainerKit() || process.env.REQUIRE_ENGINES !== undefined;
  describeNeeding(isThere, 'CONTAINER_KIT: a folder with the programs engine and base-image', name, tests);
}

/** Whether an engine can be started. */
export function hasContainerKit(): boolean {
  return kit !== undefined;
}

/** A container engine of its own, with all its data in a temporary folder. */
export class ContainerEngine {
  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    /** As `DOCKER_HOST` has it. */
    readonly address: string,
  ) {}

  /** Starts one that has the base image. */
  static async start(): Promise<ContainerEngine> {
    const engine = await ContainerEngine.startEmpty();
    try {
      await engine.makeBaseImage();
      return engine;
    } catch (error) {
      await engine.stop();
      throw error;
    }
  }

  /** Starts one without any image. */
  static async startEmpty(): Promise<ContainerEngine> {
    if (kit === undefined) throw new Error('CONTAINER_KIT is not set.');
    const programs = resolve(ROOT, kit);
    const folder = await engineFolder();
    return new ContainerEngine(programs, folder, await startEngine(programs, folder));
  }

  /** One that was started by another process, which ends it, too. */
  static at(address: string): ContainerEngine {
    if (kit === undefined) throw new Error('CONTAINER_KIT is not set.');
    return new ContainerEngine(resolve(ROOT, kit), dirname(new URL(address).pathname), address);
  }

  /** Makes an image of a folder with its whole file system. */
  async importRoot(name: string, root: string, entrypoint: readonly string[]): Promise<void> {
    const change = `ENTRYPOINT ${JSON.stringify(entrypoint)}`;
    await this.import(name, ['tar', '-C', root, '--numeric-owner', '-c', '.'], [change]);
  }

  /** The interface of its own network on this machine. */
  async bridge(): Promise<string> {
    return (await readFile(join(this.folder, 'bridge'), 'utf8')).trim();
  }

  /** The address of this machine in that network, at which containers of others reach it. */
  hostAddress(): Promise<string> {
    return this.docker('network', 'inspect', 'bridge', '--format', '{{(index .IPAM.Config 0).Gateway}}');
  }

  /** Kills it, as a crash does. @returns what starts it again, with all that it had */
  async kill(): Promise<() => Promise<void>> {
    const [pid = ''] = (await readFile(join(this.folder, 'pid'), 'utf8')).split(' ');
    process.kill(Number(pid), 'SIGKILL');
    return async () => {
      // Where nothing collects processes that ended, their numbers are still taken.
      for (const file of ['docker.pid', 'exec/containerd/containerd.pid'])
        await rm(join(this.folder, file), { force: true });
      await startEngine(this.programs, this.folder);
    };
  }

  /** Makes the base of our image: what the kit makes, with the newer Node in the place of its own, in one layer. */
  private async makeBaseImage(): Promise<void> {
    // It runs programs within the image, where the folder of this run's temporary files is not.
    const options = { env: environmentOfRun(), maxBuffer: MAX_OUTPUT_BYTES };
    await run(join(this.programs, 'base-image'), ['--name', KIT_IMAGE, `docker -H ${this.address}`], options);
    const { stdout: bin } = await run(process.execPath, [join(ROOT, 'scripts', 'node-24.mjs')]);
    const container = await this.docker('create', KIT_IMAGE);
    await this.docker('cp', join(bin.trim(), 'node'), `${container}:/usr/local/bin/node`);
    const settings = await this.docker(
      'inspect',
      '--format',
      '{{range .Config.Env}}ENV {{println .}}{{end}}',
      KIT_IMAGE,
    );
    const changes = [...settings.trim().split('\n'), 'CMD ["node"]'];
    await this.import(BASE_IMAGE, ['docker', '-H', this.address, 'export', container], changes);
    await this.docker('rm', container);
    await this.docker('rmi', KIT_IMAGE);
  }

  /** Makes an image of the archive that a command prints. */
  private async import(
    name: string,
    [program, ...args]: readonly [string, ...string[]],
    changes: readonly string[],
  ): Promise<void> {
    const archive = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const options = changes.flatMap((change) => ['--change', change]);
    const docker = spawn('docker', ['-H', this.address, 'import', ...options, '-', name], {
      stdio: [archive.stdout, 'ignore', 'inherit'],
    });
    const [code] = (await once(docker, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`docker import ended with ${code}.`);
  }

  /** Their bridges would stay on this machine. */
  private async removeNetworks(): Promise<void> {
    const containers = await this.docker('ps', '--all', '--quiet');
    if (containers !== '') await this.docker('rm', '--force', '--volumes', ...containers.split('\n'));
    await this.docker('network', 'prune', '--force');
  }

  /** Runs a command of Docker in the root of the project. @returns what it prints */
  async docker(...args: readonly string[]): Promise<string> {
    const options = { cwd: ROOT, maxBuffer: MAX_OUTPUT_BYTES };
    return (await run('docker', ['-H', this.address, ...args], options)).stdout.trim();
  }

  /** Ends it and removes everything that it had. */
  async stop(): Promise<void> {
    await this.removeNetworks().catch(() => undefined);
    await run(join(this.programs, 'engine'), ['stop', this.folder, '--purge']);
  }
}

/** A new folder of which the kit can make the name of a bridge: eight digits of a checksum, which may have fewer. */
async function engineFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-'));
  const { stdout } = await run('bash', ['-c', 'cksum <<<"$0"', folder]);
  if (/^\d{8}/.test(stdout)) return folder;
  await rm(folder, { recursive: true });
  return engineFolder();
}

/** On a busy machine it may take longer than the kit waits, which goes on where it was. @returns its address */
async function startEngine(programs: string, folder: string): Promise<string> {
  return eventually(async () => {
    const { stdout } = await run(join(programs, 'engine'), ['start', folder]);
    return stdout.trim();
  }, 120_000);
}
