import type { ContainerInspectInfo } from 'dockerode';
import { parseUuid } from '../../../kernel/common';
import type { Settings } from '../../../kernel/config';
import { DriverError, type LogLimit } from '../../../sandboxes/driver-port';
import { containerOf, PATHS } from './container';
import { type Engine, reasonOf, statusOf, unless } from '../engine';
import { isWarmName, LABELS, nameOf, type ContainerSpec } from '../names';
import { outputLines } from './volume-sizes';
import { Volumes } from './volumes';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const fileSchema = z.object({ secret_key: z.string() });

/**
 * What is put into a volume before each start, as an archive: the folders of its user, and the file with the
 * keys of its agent server, which the user can read and not replace.
 */
async function volumeFiles(keys: string, uid: number): Promise<NodeJS.ReadableStream> {
  const { pack } = await import('tar-stream');
  const archive = pack();
  // In an extension of the format: its own fields end at 2097151.
  const owner = { pax: { uid: String(uid), gid: String(uid) } };
  for (const folder of [PATHS.workingDir, PATHS.home, PATHS.state])
    archive.entry({ ...owner, name: `${withinVolume(folder)}/`, type: 'directory', mode: 0o700 });
  archive.entry({ ...owner, name: withinVolume(PATHS.keys), mode: 0o400 }, keys);
  archive.finalize();
  return archive;
}

/** The key of an agent server that waits for others, as the file in its container has it. */
export async function keysIn(engine: Engine, container: string): Promise<string> {
  const { extract } = await import('tar-stream');
  const archive = await engine.use((docker) =>
    docker.getContainer(container).getArchive({ path: PATHS.keys }),
  );
  const files = extract();
  archive.pipe(files);
  for await (const file of files) return fileSchema.parse(JSON.parse(await text(file))).secret_key;
  throw new Error('There is no file with keys.');
}

function withinVolume(path: string): string {
  return path.slice(`${PATHS.volume}/`.length);
}

/** How long a container may take to stop. */
const STOP_SECONDS = 10;

const ALREADY = 304;
const NOT_FOUND = 404;
const CONFLICT = 409;

/** The containers of sandboxes, and their volumes. */
export class Containers {
  private pulling: Promise<void> | undefined;
  private readonly volumes: Volumes;

  constructor(
    private readonly settings: Settings,
    private readonly engine: Engine,
  ) {
    this.volumes = new Volumes(engine, settings.SANDBOX_DISK_MEBIBYTES);
  }

  /** Null where there is none. */
  async inspect(name: string): Promise<ContainerInspectInfo | null> {
    return this.orNull((docker) => docker.getContainer(name).inspect());
  }

  /** The name of the volume and the network of a sandbox; null where it has no volume. */
  async storeOf(id: string): Promise<string | null> {
    const filters = { label: [`${LABELS.sandbox}=${id}`] };
    const { Volumes: volumes } = await this.engine.use((docker) => docker.listVolumes({ filters }));
    const [claimed] = volumes.flatMap(({ Labels }) => Labels[LABELS.store] ?? []).filter(isWarmName);
    return volumes.length === 0 ? null : (claimed ?? nameOf(id));
  }

  /** Makes the container of a spec, with its volume if there is none, and puts its keys there. */
  async create(
    spec: ContainerSpec,
    place: { readonly uid: number; readonly published: string | null },
  ): Promise<void> {
    const { name } = spec;
    await this.volumes.create(spec);
    const options = containerOf(this.settings, spec, place);
    await this.engine.use((docker) => docker.createContainer(options));
    const files = await volumeFiles(spec.keys, place.uid);
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

  /** Removes the container, with volumes that the image may make, and leaves the volume of the sandbox. */
  async remove(name: string): Promise<void> {
    await this.engine.use((docker) =>
      unless([NOT_FOUND, CONFLICT], docker.getContainer(name).remove({ force: true, v: true })),
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
    return [...new Set(labels.filter((label) => parseUuid(label) === label))];
  }

  /** The image's own id; null where the engine does not have it. */
  async imageId(): Promise<string | null> {
    const image = this.settings.SANDBOX_IMAGE ?? '';
    return (await this.orNull((docker) => docker.getImage(image).inspect()))?.Id ?? null;
  }

  /** Whether the image is being fetched. */
  get isFetching(): boolean {
    return this.pulling !== undefined;
  }

  /** Fetches the image if it is not there; all that need it wait for the same. @throws DriverError when it cannot be had */
  async ensureImage(): Promise<void> {
    if ((await this.imageId()) !== null) return;
    this.pulling ??= this.pullOnce().finally(() => (this.pulling = undefined));
    await this.pulling;
  }

  private async pullOnce(): Promise<void> {
    const image = this.settings.SANDBOX_IMAGE ?? '';
    try {
      const [{ modem }, progress] = await this.engine.use(
        async (docker) => [docker, await docker.pull(image)] as const,
      );
      await new Promise<void>((done, fail) =>
        modem.followProgress(progress, (error) => (error === null ? done() : fail(error))),
      );
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
