import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { MEBIBYTE, messageOf } from '../../../common';
import type { Engine } from './engine';
import { nameOf } from './names';

/** The engine counts files to measure: it is asked this often, and less where it takes long. */
const MEASURE_EVERY_MS = 30_000;
const REST_PER_MEASURING = 10;

/** For so long a sandbox beyond its share runs after a start, to make room, unless it takes this much more. */
const GRACE_MS = 10 * 60_000;
const GRACE_FACTOR = 1.25;

const usageSchema = z.object({
  Volumes: z
    .array(z.object({ Name: z.string(), UsageData: z.object({ Size: z.number() }).nullish() }))
    .nullish(),
});

/** How much disk the volumes of sandboxes take, as the engine measures it. */
export class DiskShares {
  private readonly log = new Logger('Sandboxes');
  private sizes: ReadonlyMap<string, number> = new Map();
  private measuring: Promise<void> | undefined;
  private nextMs = 0;

  /** @param mebibytes what a sandbox may take (`SANDBOX_DISK_MEBIBYTES`) */
  constructor(
    private readonly engine: Engine,
    private readonly mebibytes: number,
  ) {}

  /** Whether a sandbox that has run since a time takes too much, as far as is known; has it measured meanwhile. */
  isBeyond(sandboxId: string, runsSince: Date): boolean {
    if (performance.now() >= this.nextMs) void this.measure();
    const isNew = Date.now() - runsSince.getTime() < GRACE_MS;
    return this.sizeOf(sandboxId) > this.mebibytes * MEBIBYTE * (isNew ? GRACE_FACTOR : 1);
  }

  /** Measures, and says of a sandbox that takes more than its share what can be done; null for others. */
  async explain(sandboxId: string): Promise<string | null> {
    await this.measure();
    const size = Math.ceil(this.sizeOf(sandboxId) / MEBIBYTE);
    if (size <= this.mebibytes) return null;
    return `Its files take ${size} MiB of disk, and its share is ${this.mebibytes} MiB (SANDBOX_DISK_MEBIBYTES): it has ten minutes after a resume to delete some.`;
  }

  private sizeOf(sandboxId: string): number {
    return this.sizes.get(nameOf(sandboxId)) ?? 0;
  }

  private measure(): Promise<void> {
    this.measuring ??= this.readSizes()
      .catch((error: unknown) =>
        this.log.warn(`The disk of containers cannot be measured: ${messageOf(error)}`),
      )
      .finally(() => (this.measuring = undefined));
    return this.measuring;
  }

  private async readSizes(): Promise<void> {
    const before = performance.now();
    const { Volumes } = usageSchema.parse(await this.engine.use((docker) => docker.df()));
    this.sizes = new Map((Volumes ?? []).map(({ Name, UsageData }) => [Name, UsageData?.Size ?? 0]));
    const now = performance.now();
    this.nextMs = now + Math.max(MEASURE_EVERY_MS, (now - before) * REST_PER_MEASURING);
  }
}
