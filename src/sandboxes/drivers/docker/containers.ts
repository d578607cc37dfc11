import type { ContainerInspectInfo } from 'dockerode';
import type { Settings } from '../../../config';
import { DriverError, type LogLimit } from '../../record/sandbox-driver';
import { containerOf, PATHS } from './container';
import { type Engine, reasonOf, statusOf, unless } from './engine';
import { LABELS, nameOf, type Unit } from './names';
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
  async inspect(name: string): Promise<ContainerInspectInfo | null> {
    return this.orNull((docker) => docker.getContainer(name).inspect());
  }

  /** What the volume and the network of a sandbox are called; null where it has no volume. */
  async storeOf(id: string): Promise<string | null> {
    const volume = await this.orNull((docker) => docker.getVolume(nameOf(id)).inspect());
    return volume === null ? null : (volume.Labels[LABELS.store] ?? nameOf(id));
  }

  /**
   * Makes the container of a unit, with its volume if there is none, and puts its keys there.
   * @throws DriverError when the image is not there
   */
  async create(
    unit: Unit,
    place: { readonly uid: number; readonly published: string | null },
  ): Promise<void> {
    const { name, store } = unit;
    await this.engine.use((docker) => docker.createVolume({ Name: store, Labels: { ...unit.labels } }));
    const options = containerOf(this.settings, unit, place);
    const create = (): Promise<unknown> => this.engine.use((docker) => docker.createContainer(options));
    await create().catch(async (error: unknown) => {
      if (!isImageMissing(error)) throw error;
      await this.pull();
      await create();
    });
    const files = await volumeFiles(unit.keys, place.uid);
    await this.engine.use((docker) => docker.getContainer(name).putArchive(files, { path: PATHS.volume }));
  }

  async start(name: string): Promise<void> {
    await this.engine.use((docker) => unless([ALREADY], docker.getContainer(name).start()));
  }

  async stop(name: string): Promise<void> {
    await this.engine.use((docker) =>
      unless([ALREADY, NOT_FOUND], docker.getContainer(name).stop({ t: STOP_SECONDS })),
    );
  }

  /** Removes the container, and leaves the volume. */
  async remove(name: string): Promise<void> {
    await this.engine.use((docker) =>
      unless([NOT_FOUND, CONFLICT], docker.getContainer(name).remove({ force: true })),
    );
  }

  async removeVolume(name: string): Promise<void> {
    await this.engine.use((docker) => unless([NOT_FOUND], docker.getVolume(name).remove()));
  }

  async logs(name: string, limit: LogLimit): Promise<string[]> {
    const options = { stdout: true, stderr: true, tail: limit.lines };
    const frames = await this.orNull((docker) => docker.getContainer(name).logs(options));
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

  /** The image's own id; null where the engine does not have it. */
  async imageId(): Promise<string | null> {
    const image = this.settings.SANDBOX_IMAGE ?? '';
    return (await this.orNull((docker) => docker.getImage(image).inspect()))?.Id ?? null;
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
