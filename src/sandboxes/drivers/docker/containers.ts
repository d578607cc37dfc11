import type { ContainerInspectInfo } from 'dockerode';
import type { Settings } from '../../../config';
import { DriverError, type LogLimit, type SandboxHandle } from '../../record/sandbox-driver';
import { containerOf, PATHS } from './container';
import { type Engine, reasonOf, statusOf, unless } from './engine';
import { LABELS, labelsOf, nameOf } from './names';
import { outputLines } from './output-lines';
import { volumeFiles } from './volume-files';

/** What a container is given to end by itself. */
const STOP_SECONDS = 10;

const ALREADY = 304;
const NOT_FOUND = 404;
const CONFLICT = 409;

/** The containers of sandboxes, and their volumes. */
export class Containers {
  private pulling: Promise<void> | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly engine: Engine,
  ) {}

  /** Null where there is none. */
  async inspect(id: string): Promise<ContainerInspectInfo | null> {
    return this.orNull((docker) => docker.getContainer(nameOf(id)).inspect());
  }

  async hasVolume(id: string): Promise<boolean> {
    return (await this.orNull((docker) => docker.getVolume(nameOf(id)).inspect())) !== null;
  }

  /**
   * Makes the container of a sandbox, with its volume if there is none, and puts its keys there.
   * @throws DriverError when the image is not there
   */
  async create(
    sandbox: SandboxHandle,
    place: { readonly uid: number; readonly published: string | null },
  ): Promise<void> {
    const name = nameOf(sandbox.id);
    await this.engine.use((docker) => docker.createVolume({ Name: name, Labels: labelsOf(sandbox) }));
    const options = containerOf(this.settings, sandbox, place);
    const create = (): Promise<unknown> => this.engine.use((docker) => docker.createContainer(options));
    await create().catch(async (error: unknown) => {
      if (!isImageMissing(error)) throw error;
      await this.pull();
      await create();
    });
    const files = await volumeFiles(sandbox.sessionKey, place.uid);
    await this.engine.use((docker) => docker.getContainer(name).putArchive(files, { path: PATHS.volume }));
  }

  async start(id: string): Promise<void> {
    await this.engine.use((docker) => unless([ALREADY], docker.getContainer(nameOf(id)).start()));
  }

  async stop(id: string): Promise<void> {
    await this.engine.use((docker) =>
      unless([ALREADY, NOT_FOUND], docker.getContainer(nameOf(id)).stop({ t: STOP_SECONDS })),
    );
  }

  /** Removes the container, and leaves the volume. */
  async remove(id: string): Promise<void> {
    await this.engine.use((docker) =>
      unless([NOT_FOUND, CONFLICT], docker.getContainer(nameOf(id)).remove({ force: true })),
    );
  }

  async removeVolume(id: string): Promise<void> {
    await this.engine.use((docker) => unless([NOT_FOUND], docker.getVolume(nameOf(id)).remove()));
  }

  async logs(id: string, limit: LogLimit): Promise<string[]> {
    const options = { stdout: true, stderr: true, tail: limit.lines };
    const frames = await this.orNull((docker) => docker.getContainer(nameOf(id)).logs(options));
    return frames === null ? [] : outputLines(frames, limit);
  }

  /** The ids of the sandboxes of an installation of which anything is there. */
  async ids(installationId: string): Promise<string[]> {
    const filters = { label: [`${LABELS.installation}=${installationId}`] };
    const [containers, networks, { Volumes: volumes }] = await this.engine.use((docker) =>
      Promise.all([
        docker.listContainers({ all: true, filters }),
        docker.listNetworks({ filters }),
        docker.listVolumes({ filters }),
      ]),
    );
    const labels = [...containers, ...networks, ...volumes].flatMap(
      ({ Labels }) => Labels?.[LABELS.sandbox] ?? [],
    );
    return [...new Set(labels)];
  }

  /** Whether the image is there, so that no sandbox has to wait for it. */
  async hasImage(): Promise<boolean> {
    return (
      (await this.orNull((docker) => docker.getImage(this.settings.SANDBOX_IMAGE ?? '').inspect())) !== null
    );
  }

  /** Fetches the image; all that need it wait for the same. @throws DriverError when it cannot be had */
  private pull(): Promise<void> {
    this.pulling ??= this.pullOnce().finally(() => (this.pulling = undefined));
    return this.pulling;
  }

  private async pullOnce(): Promise<void> {
    const image = this.settings.SANDBOX_IMAGE ?? '';
    try {
      await this.engine.use(async (docker) => {
        const progress = await docker.pull(image);
        await new Promise<void>((done, fail) =>
          docker.modem.followProgress(progress, (error) => (error === null ? done() : fail(error))),
        );
      });
    } catch (cause) {
      throw new DriverError(
        `The image ${image} is not on the container engine, and cannot be fetched (${reasonOf(cause)}): build or load it there, or correct SANDBOX_IMAGE.`,
        { cause },
      );
    }
  }

  private async orNull<Result>(call: Parameters<typeof this.engine.use<Result>>[0]): Promise<Result | null> {
    try {
      return await this.engine.use(call);
    } catch (error) {
      if (statusOf(error) === NOT_FOUND) return null;
      throw error;
    }
  }
}

function isImageMissing(error: unknown): boolean {
  return statusOf(error) === NOT_FOUND && /no such image|image not known/i.test(reasonOf(error));
}
