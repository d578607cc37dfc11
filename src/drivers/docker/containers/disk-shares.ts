import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { MEBIBYTE, messageOf } from '../../../kernel/common';
import { DriverError } from '../../../sandboxes/driver-port';
import type { VolumeSizes } from './volume-sizes';

/** Files are counted to measure: this often, and less where it takes long. */
const MEASURE_EVERY_MS = 15_000;
const REST_PER_MEASURING = 10;
/** Whoever wants to know why a sandbox ended does not wait for all files. */
const EXPLAIN_MS = 5_000;

/** For so long a sandbox that was beyond its share before a start runs after it, to make room, unless it takes more. */
const GRACE_MS = 10 * 60_000;
/** An allowance for incidental writes while a sandbox makes room. */
const GRACE_FACTOR = 1.05;
/** Beyond so many shares it is not started any more: each start is a chance to write more. */
const MAX_SHARES = 2;
/** A volume that cannot be measured so often in a row counts as beyond: the engine's host may just have been busy. */
const UNMEASURED_TIMES = 2;

const UNMEASURABLE =
  'Its files are so many that they cannot be counted: it is not started any more until its operator has put that right';

/** Measures deleted files, by name of volume. */
type DeletedBytes = (stores: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** Which sandboxes take more disk than their share (docs/docker.md#disk). */
export class DiskShares {
  private readonly log = new Logger('Sandboxes');
  private sizes: ReadonlyMap<string, number> = new Map();
  private deleted = new Map<string, number>();
  /** The use of sandboxes beyond their share, as last measured. */
  private readonly beyond = new Map<string, number>();
  /** Consecutive failures to measure a volume. */
  private readonly unmeasured = new Map<string, number>();
  private readonly before = new Map<string, { readonly runsSince: number; readonly size: number }>();
  private measuring: Promise<void> | undefined;
  private nextMs = 0;
  private isFailing = false;

  /**
   * @param mebibytes what a sandbox may take (`SANDBOX_DISK_MEBIBYTES`)
   * @param deletedBytes what of volumes is in files that were deleted while programs have them open: they have no name
   */
  constructor(
    private readonly volumes: Pick<VolumeSizes, 'all'>,
    private readonly mebibytes: number,
    private readonly deletedBytes: DeletedBytes = () => Promise.resolve(new Map()),
  ) {}

  /** Whether the volume of a sandbox that has run since a time takes too much, as far as is known; has it measured meanwhile. */
  isBeyond(store: string, runsSince: Date): boolean {
    const before = this.sizeBefore(store, runsSince);
    if (performance.now() >= this.nextMs) void this.measure();
    const hasGrace = Date.now() - runsSince.getTime() < GRACE_MS;
    const size = this.sizeOf(store) + (this.deleted.get(store) ?? 0);
    this.beyond.delete(store);
    if (this.isUnmeasurable(store)) return true;
    if (size <= Math.max(this.mebibytes * MEBIBYTE, hasGrace ? before * GRACE_FACTOR : 0)) return false;
    this.beyond.set(store, size);
    return true;
  }

  /** @throws DriverError when a sandbox takes so much that it must not run again */
  assertStartable(store: string): void {
    if (performance.now() >= this.nextMs) void this.measure();
    if (this.isUnmeasurable(store)) throw new DriverError(`${UNMEASURABLE}.`);
    if (this.sizeOf(store) <= MAX_SHARES * this.mebibytes * MEBIBYTE) return;
    throw new DriverError(
      `${this.sentenceOf(this.sizeOf(store))}: beyond twice its share it is not started any more, unless its operator gives it more.`,
    );
  }

  /** Measures a sandbox, and returns advice when it exceeds its share; null otherwise. */
  async explain(store: string): Promise<string | null> {
    await Promise.race([this.measure(), sleep(EXPLAIN_MS, undefined, { ref: false })]);
    if (this.isUnmeasurable(store)) return `${UNMEASURABLE}.`;
    // Files deleted while open are freed with the end of a run, so the last measured size counts, too.
    const size = Math.max(this.sizeOf(store), this.beyond.get(store) ?? 0);
    if (size <= this.mebibytes * MEBIBYTE) return null;
    return `${this.sentenceOf(size)}: it has ten minutes after a resume to delete some.`;
  }

  private sentenceOf(size: number): string {
    return `Its files take ${Math.ceil(size / MEBIBYTE)} MiB of disk, and its share is ${this.mebibytes} MiB (SANDBOX_DISK_MEBIBYTES)`;
  }

  /** Its use when this run was first measured. */
  private sizeBefore(store: string, runsSince: Date): number {
    const known = this.before.get(store);
    if (known?.runsSince === runsSince.getTime()) return known.size;
    this.deleted.delete(store);
    const isStillBeyond = known !== undefined && known.size > this.mebibytes * MEBIBYTE;
    // Several resumes give it no more than one.
    const size = isStillBeyond ? Math.min(known.size, this.sizeOf(store)) : this.sizeOf(store);
    this.before.set(store, { runsSince: runsSince.getTime(), size });
    return size;
  }

  private sizeOf(store: string): number {
    return this.sizes.get(store) ?? 0;
  }

  /** A sandbox that prevents the measurement could take any amount. */
  private isUnmeasurable(store: string): boolean {
    return (this.unmeasured.get(store) ?? 0) >= UNMEASURED_TIMES;
  }

  private measure(): Promise<void> {
    this.measuring ??= this.readAndRest().finally(() => (this.measuring = undefined));
    return this.measuring;
  }

  private async readAndRest(): Promise<void> {
    const before = performance.now();
    try {
      await this.readSizes();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.log.warn(`The disk of containers cannot be measured: ${messageOf(error)}`);
      this.isFailing = true;
    }
    const now = performance.now();
    this.nextMs = now + Math.max(MEASURE_EVERY_MS, (now - before) * REST_PER_MEASURING);
  }

  private async readSizes(): Promise<void> {
    const found = await this.volumes.all();
    this.deleted = new Map(await this.deletedBytes([...found.keys()]));
    const sizes = new Map<string, number>();
    for (const [store, size] of found) {
      if (size === null) this.unmeasured.set(store, (this.unmeasured.get(store) ?? 0) + 1);
      else this.unmeasured.delete(store);
      sizes.set(store, size ?? this.sizeOf(store));
    }
    this.sizes = sizes;
    for (const known of [this.before, this.unmeasured, this.beyond])
      for (const store of known.keys()) if (!sizes.has(store)) known.delete(store);
  }
}
