import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { backOff, messageOf } from '../../../kernel/common';
import { ApiRefusal, ApiUnavailable, isExpired, refusalOf } from './api-errors';
import type { ClusterApi } from './cluster-api';
import { linesOf } from './lines';

/** How long the server keeps a watch open; varied, so that watches do not end together. */
const WATCH_SECONDS = 240;
const WATCH_SPREAD_SECONDS = 60;
/** A server says about every minute that it is there, with a bookmark. */
const SILENT_MS = 150_000;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;
const PAGE = '500';

const listSchema = z.object({
  metadata: z.object({ resourceVersion: z.string().default(''), continue: z.string().optional() }),
  items: z.array(z.unknown()),
});
const eventSchema = z.object({ type: z.string(), object: z.unknown() });
const versionSchema = z.object({ metadata: z.object({ resourceVersion: z.string() }) });

/** The subject of a watch, and its callbacks. */
export interface Watched<Kept> {
  readonly path: string;
  readonly labelSelector?: string;
  /** The part of an object that is kept; null for foreign objects. */
  readonly read: (object: unknown) => Kept | null;
  /** All that there are, at the beginning and whenever what happened meanwhile is not known. */
  readonly replaced: (all: readonly Kept[]) => void;
  readonly changed: (object: Kept) => void;
  readonly removed: (object: Kept) => void;
  /** Once for each failure in a row of them; null when it works again. */
  readonly troubled: (error: Error | null) => void;
}

/**
 * Follows objects of the cluster: one list, and from then on a watch that goes on where the last one ended. Only where the
 * cluster does not know that point any more (410) everything is listed again.
 */
export class ObjectWatch<Kept> {
  /** When everything was listed for the first time. */
  readonly synced: Promise<void>;
  private readonly stopping = new AbortController();
  private markSynced: () => void = () => undefined;
  private isTroubled = false;
  /** Since something came of a watch. */
  private failures = 0;

  constructor(
    private readonly api: ClusterApi,
    private readonly watched: Watched<Kept>,
  ) {
    this.synced = new Promise((resolve) => {
      this.markSynced = resolve;
    });
    void this.run();
  }

  stop(): void {
    this.stopping.abort();
  }

  private isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    let version: string | null = null;
    while (!this.isStopped()) {
      try {
        version ??= await this.list();
        const before: string = version;
        version = await this.follow(before);
        // A server that ends each watch at once is asked no more often than one that fails.
        if (version === before) await this.pause(0);
      } catch (error) {
        if (this.isStopped()) return;
        if (isExpired(error)) version = null;
        else this.fails(error instanceof Error ? error : new Error(messageOf(error)));
        await this.pause(error instanceof ApiRefusal ? error.waitMs : 0);
      }
    }
  }

  private async list(): Promise<string> {
    const all: Kept[] = [];
    let next: string | undefined;
    let version = '';
    do {
      const query = { limit: PAGE, ...this.selector(), ...(next !== undefined && { continue: next }) };
      const { metadata, items } = listSchema.parse(await this.api.get(this.watched.path, query));
      for (const item of items) this.keep(item, (kept) => all.push(kept));
      version = metadata.resourceVersion;
      next = metadata.continue === '' ? undefined : metadata.continue;
    } while (next !== undefined);
    this.watched.replaced(all);
    this.works();
    this.markSynced();
    return version;
  }

  /** @returns where the next watch begins */
  private async follow(from: string): Promise<string> {
    let version = from;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new ApiUnavailable('it is silent')), SILENT_MS).unref();
    const signal = AbortSignal.any([this.stopping.signal, silence.signal]);
    const seconds = WATCH_SECONDS + Math.floor(Math.random() * WATCH_SPREAD_SECONDS);
    const query = {
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: from,
      timeoutSeconds: String(seconds),
      ...this.selector(),
    };
    try {
      const stream = await this.api.stream(this.watched.path, query, signal);
      this.works();
      for await (const line of linesOf(stream)) {
        timer.refresh();
        version = this.take(line) ?? version;
        this.failures = 0;
      }
    } catch (error) {
      // Resumes after the last event before the connection broke.
      if (version === from) throw error;
    } finally {
      clearTimeout(timer);
    }
    return version;
  }

  /** @returns the version that the cluster is at with this event */
  private take(line: string): string | null {
    const { type, object } = eventSchema.parse(JSON.parse(line));
    if (type === 'ERROR') throw refusalOf(500, object);
    if (type === 'DELETED') this.keep(object, this.watched.removed);
    else if (type !== 'BOOKMARK') this.keep(object, this.watched.changed);
    return versionSchema.safeParse(object).data?.metadata.resourceVersion ?? null;
  }

  private keep(object: unknown, use: (kept: Kept) => void): void {
    const kept = this.watched.read(object);
    if (kept !== null) use(kept);
  }

  private fails(error: Error): void {
    this.isTroubled = true;
    this.watched.troubled(error);
  }

  private works(): void {
    if (this.isTroubled) this.watched.troubled(null);
    this.isTroubled = false;
  }

  private async pause(atLeastMs: number): Promise<void> {
    const pauseMs = Math.max(atLeastMs, backOff(this.failures, FIRST_PAUSE_MS, MAX_PAUSE_MS));
    this.failures++;
    await sleep(pauseMs * (1 + Math.random() / 2), undefined, { signal: this.stopping.signal }).catch(
      () => undefined,
    );
  }

  private selector(): Record<string, string> {
    const { labelSelector } = this.watched;
    return labelSelector === undefined ? {} : { labelSelector };
  }
}
