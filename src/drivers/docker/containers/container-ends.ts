import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine';

const PAUSE_MS = 500;

/** Learns from the engine which containers of sandboxes end, for as long as it is wanted. */
export class ContainerEnds {
  private readonly stop = new AbortController();
  private stream: NodeJS.ReadableStream | undefined;

  /** @param ended is called with the id of a sandbox */
  constructor(
    private readonly engine: Engine,
    private readonly ended: (sandboxId: string) => void,
  ) {}

  /** Listens, again and again after the connection is lost. */
  async listen(): Promise<void> {
    while (!this.stop.signal.aborted) {
      await this.listenOnce().catch(() => undefined);
      await sleep(PAUSE_MS, undefined, { signal: this.stop.signal, ref: false }).catch(() => undefined);
    }
  }

  close(): void {
    this.stop.abort();
    if (this.stream instanceof Readable) this.stream.destroy();
  }

  private async listenOnce(): Promise<void> {
    const stream = await this.engine.use((docker) =>
      docker.getEvents({ filters: { type: ['container'], event: ['die'] } }),
    );
    this.stream = stream;
    let rest = '';
    for await (const part of stream) {
      const lines = (rest + part.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.report(line);
    }
  }

  private report(line: string): void {
    const id = /"name":"sandbox-([0-9a-f-]{36})"/.exec(line)?.[1];
    if (id !== undefined) this.ended(id);
  }
}
