import { buffer } from 'node:stream/consumers';
import { basename, dirname } from 'node:path';
import type { ContainerCreateOptions } from 'dockerode';
import type { Settings } from '../../../kernel/config';
import type { Engine } from '../engine';
import { isWarmName, nameMeasuring, nameOf } from '../names';
import { lastLines } from '../../last-lines';
import type { LogLimit } from '../../../sandboxes/driver-port';

const HEADER_BYTES = 8;

/**
 * The last lines of a container's output, as the engine sends it: frames of a header, with the length at its end, and a
 * part of one of the two streams.
 */
export function outputLines(frames: Buffer, limit: LogLimit): string[] {
  const parts: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= frames.length;) {
    const length = frames.readUInt32BE(at + HEADER_BYTES - 4);
    parts.push(frames.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length));
    at += HEADER_BYTES + length;
  }
  const output = Buffer.concat(parts);
  return lastLines(output.subarray(-limit.bytes).toString('utf8'), limit, output.length <= limit.bytes);
}

/** All volumes are counted within this time, one of them within the second. */
const MEASURE_MS = 15 * 60_000;
const VOLUME_SECONDS = 300;

const KIBIBYTE = 1024;
const MEMORY = 256 * 1024 * KIBIBYTE;
const PROCESSES = 16;
const MAX_OUTPUT = { lines: 100_000, bytes: 16 * 1024 * KIBIBYTE };

const VOLUMES = '/volumes';

/**
 * Prints how many KiB each volume takes, or that it cannot be said. One at a time, since du keeps in its memory which files
 * it has seen. Files that go meanwhile are errors of du, which says the rest all the same.
 */
const SCRIPT = `command -v du >/dev/null && command -v timeout >/dev/null || exit
for name do timeout ${VOLUME_SECONDS} du -skx -- "${VOLUMES}/$name/_data" 2>/dev/null || echo "failed $name"; done`;

/** Tells how much disk the volumes of sandboxes take: blocks, each file once however many names it has, as du counts. */
export class VolumeSizes {
  constructor(
    private readonly engine: Engine,
    private readonly settings: Pick<Settings, 'SANDBOX_IMAGE'>,
  ) {}

  /**
   * Counts in a container of the sandboxes' image, which sees the volumes, and nothing and nobody else.
   * @returns bytes by volume, null of one that could not be counted; those that were not reached in time are not in it
   * @throws Error when the engine or the image cannot do it
   */
  async all(): Promise<ReadonlyMap<string, number | null>> {
    const { Volumes } = await this.engine.use((docker) => docker.listVolumes());
    const volumes = Volumes.filter(({ Name }) => Name.startsWith(nameOf('')) || isWarmName(Name));
    const [first] = volumes;
    if (first === undefined) return new Map();
    const root = dirname(dirname(first.Mountpoint));
    const options = containerOver(
      root,
      volumes.map(({ Name }) => Name),
      this.settings.SANDBOX_IMAGE ?? '',
    );
    const lines = outputLines(await this.outputOf(options), MAX_OUTPUT);
    if (lines.length === 0)
      throw new Error(`the image ${options.Image} has to have the programs sh, du and timeout`);
    return sizesIn(lines);
  }

  /** Runs a container to its end; the engine removes it with volumes that its image makes, also when nobody waits any more. */
  private async outputOf(options: ContainerCreateOptions): Promise<Buffer> {
    const container = await this.engine.use((docker) => docker.createContainer(options));
    try {
      const frames = await this.engine.use(
        () => container.attach({ stream: true, stdout: true, stderr: false }),
        MEASURE_MS,
      );
      await this.engine.use(() => container.start());
      return await buffer(frames);
    } finally {
      await container.remove({ force: true, v: true }).catch(() => undefined);
    }
  }
}

function containerOver(root: string, names: readonly string[], image: string): ContainerCreateOptions {
  return {
    name: nameMeasuring(),
    Image: image,
    Entrypoint: ['/bin/sh', '-c', SCRIPT, 'sh', ...names],
    Cmd: [],
    User: '0:0',
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      NetworkMode: 'none',
      // Mounts no volume, so that measuring keeps none in use.
      Mounts: [{ Type: 'bind', Source: root, Target: VOLUMES, ReadOnly: true }],
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      CapAdd: ['DAC_READ_SEARCH'],
      // Labels of SELinux keep containers from the folder of all volumes.
      SecurityOpt: ['no-new-privileges', 'label=disable'],
      Memory: MEMORY,
      MemorySwap: MEMORY,
      PidsLimit: PROCESSES,
      AutoRemove: true,
      LogConfig: { Type: 'none', Config: {} },
    },
  };
}

function sizesIn(lines: readonly string[]): Map<string, number | null> {
  const sizes = new Map<string, number | null>();
  for (const line of lines) {
    const [, kibibytes, folder] = /^(\d+)\t(.+)$/.exec(line) ?? [];
    const failed = /^failed (.+)$/.exec(line)?.[1];
    if (folder !== undefined) sizes.set(basename(dirname(folder)), Number(kibibytes) * KIBIBYTE);
    else if (failed !== undefined && !sizes.has(failed)) sizes.set(failed, null);
  }
  return sizes;
}
