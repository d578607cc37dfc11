import { Logger } from '@nestjs/common';
import { messageOf } from '../../kernel/common';
import { ForkServer, type ForkServerOptions, goOnAlone } from './fork-server';

/** A sandbox in which a process waits for a fork, or will. */
interface ForkTarget {
  /** The first process of its namespace. */
  readonly first: number;
  /** The files by which a process enters its control groups. */
  readonly entries: readonly string[];
}

/** The fork server of a driver, once one is wanted; another when it ended. */
export class Forks {
  private readonly log = new Logger('Sandboxes');
  private server: Promise<ForkServer | null> | undefined;
  private isClosed = false;
  /** The sandboxes whose forks are made now. */
  private readonly taken = new Set<string>();

  /** @param options of a server; null where sandboxes have none */
  constructor(private readonly options: () => Promise<ForkServerOptions | null>) {}

  /** Null where there is none, and agent servers start by themselves. */
  async current(): Promise<ForkServer | null> {
    const known = (this.server ??= this.start());
    const server = await known;
    if (server === null || server.runs) return server;
    // An import that failed would fail again.
    const wasReady = await server.isReady;
    if (this.server === known) this.server = wasReady ? this.start() : Promise.resolve(null);
    return this.server;
  }

  /** Replaces the process that waits in a sandbox by a fork of a server. */
  async take(server: ForkServer, id: string, { first, entries }: ForkTarget): Promise<void> {
    this.taken.add(id);
    await server.take(first, entries).finally(() => this.taken.delete(id));
  }

  /** Lets the process that waits in a sandbox start on its own, after the fork server was killed. */
  async goOn(id: string, first: number): Promise<void> {
    if (!this.taken.has(id)) await goOnAlone(first);
  }

  /** Ends it, and starts no other; its forks go on. */
  async close(): Promise<void> {
    this.isClosed = true;
    await (await this.server)?.close();
  }

  private async start(): Promise<ForkServer | null> {
    try {
      const options = this.isClosed ? null : await this.options();
      if (options === null || !(await ForkServer.canServe(options.command))) return null;
      return await ForkServer.start(options);
    } catch (error) {
      this.log.warn(`Agent servers start without what could be imported before: ${messageOf(error)}`);
      return null;
    }
  }
}
