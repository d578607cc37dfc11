import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Client, type Notification } from 'pg';
import { messageOf } from '../../common';

const CONNECT_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;
/** A connection whose server is gone without a word is noticed by then. */
const PROBE_MS = 30_000;

/** @param payload of the notification; null when some may have been missed, since the connection is new */
export type NotificationListener = (payload: string | null) => void;

/**
 * Listens for PostgreSQL's notifications on a connection of its own, and connects again when that breaks. What is sent
 * meanwhile is lost, so listeners have to poll now and then as well.
 */
export class Notifications implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Notifications.name);
  private readonly listeners = new Map<string, NotificationListener[]>();
  private readonly stopping = new AbortController();
  private client: Client | undefined;
  private running: Promise<void> | undefined;

  /** @param url of a server, or of a pooler that keeps sessions */
  constructor(private readonly url: string) {}

  /** Calls back for every notification of a channel; done before the service has started. */
  listen(channel: string, listener: NotificationListener): void {
    this.listeners.set(channel, [...(this.listeners.get(channel) ?? []), listener]);
  }

  onApplicationBootstrap(): void {
    if (this.listeners.size > 0) this.running ??= this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.client?.end().catch(() => undefined);
    await this.running;
  }

  private async run(): Promise<void> {
    let pause = FIRST_RETRY_MS;
    while (!this.isStopping()) {
      try {
        await this.receive(() => (pause = FIRST_RETRY_MS));
      } catch (error) {
        if (this.isStopping()) return;
        this.logger.warn(`Notifications of the database do not arrive: ${messageOf(error)}`);
      }
      await this.sleep(pause);
      pause = Math.min(pause * 2, MAX_RETRY_MS);
    }
  }

  /** Listens until the connection breaks. */
  private async receive(connected: () => void): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      application_name: 'org-conversation-service notifications',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    this.client = client;
    const broken = new Promise<unknown>((resolve) => {
      client.on('error', resolve);
      client.on('end', () => resolve(new Error('the connection was closed')));
    });
    client.on('notification', (notification) => this.pass(notification));
    try {
      // A client that is ended while it connects never settles the promise of its connect.
      await Promise.race([client.connect(), broken.then((reason) => Promise.reject(asError(reason)))]);
      for (const channel of this.listeners.keys()) await client.query(`LISTEN ${channel}`);
      connected();
      for (const listeners of this.listeners.values()) for (const listener of listeners) listener(null);
      const probe = setInterval(() => void client.query('SELECT 1').catch(() => client.end()), PROBE_MS);
      const reason = await broken.finally(() => clearInterval(probe));
      throw asError(reason);
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  private pass({ channel, payload }: Notification): void {
    for (const listener of this.listeners.get(channel) ?? []) listener(payload ?? '');
  }

  /** A method, since it may change during any await. */
  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async sleep(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
