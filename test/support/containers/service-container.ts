import { eventually } from '../eventually';
import { call } from '../service/http';
import { IMAGES, imagesEngine } from './service-images';

const PATIENCE_MS = 120_000;

/** As much as a container can be denied: it writes to its volume and `/tmp` only, and has no rights of root. */
const HARDENED = [
  '--read-only',
  '--tmpfs',
  '/tmp',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
];

/** The service in a hardened container, with a volume and a port of its own. */
export class ServiceContainer {
  private constructor(
    readonly name: string,
    /** Where it answers until it is started again. */
    public url: string,
  ) {}

  /**
   * Starts one, and waits until it is ready.
   * @param options more of them, for `docker run`
   */
  static async start(
    name: string,
    options: readonly string[] = [],
    image = IMAGES.service,
  ): Promise<ServiceContainer> {
    const ways = ['--publish', '127.0.0.1::3000', '--volume', `${name}:/data`];
    await imagesEngine().docker('run', '--detach', '--name', name, ...HARDENED, ...ways, ...options, image);
    const container = new ServiceContainer(name, '');
    await container.ready();
    return container;
  }

  /** Waits until it is ready. Whenever its restart policy starts it again, it has another port. */
  async ready(): Promise<void> {
    await eventually(async () => {
      this.url = `http://${await imagesEngine().docker('port', this.name, '3000')}`;
      const { status } = await call(this, 'GET', '/ready').catch(() => ({ status: 0 }));
      if (status !== 200) throw new Error(`${status}: ${await imagesEngine().docker('logs', this.name)}`);
    }, PATIENCE_MS);
  }

  /** @returns what a command in it prints */
  exec(...command: string[]): Promise<string> {
    return imagesEngine().docker('exec', this.name, ...command);
  }

  /** The key that its first start made. */
  ownerKey(): Promise<string> {
    return this.exec('cat', '/data/owner.key');
  }

  /** What it has printed so far. */
  logs(): Promise<string> {
    return imagesEngine().docker('logs', this.name);
  }

  inspect(format: string): Promise<string> {
    return imagesEngine().docker('inspect', '--format', format, this.name);
  }

  /** Waits for what its health check says. */
  async becomes(health: 'healthy' | 'unhealthy'): Promise<void> {
    await eventually(async () => {
      const is = await this.inspect('{{.State.Health.Status}}');
      if (is !== health) throw new Error(`The container is ${is}.`);
    }, PATIENCE_MS);
  }

  /** Asks it to end, and kills it after so many seconds. @returns its exit code */
  async stop(seconds: number): Promise<number> {
    await imagesEngine().docker('stop', '--time', String(seconds), this.name);
    return Number(await this.inspect('{{.State.ExitCode}}'));
  }

  /** Starts it again. */
  async startAgain(): Promise<void> {
    await imagesEngine().docker('start', this.name);
    await this.ready();
  }
}
