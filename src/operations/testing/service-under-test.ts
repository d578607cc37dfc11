import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { Logger, type Type } from '@nestjs/common';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { Clock } from '../../kernel/common';
import { readSettings, SANDBOX_DRIVERS } from '../../kernel/config';
import {
  type AnyDomainEvent,
  type DomainEventKind,
  type DomainEventOf,
  DomainEventReader,
  DomainEvents,
  type ExtensionEvent,
  type ExtensionEventKind,
  ExtensionEvents,
  type PublishedEvent,
} from '../../kernel/domain-events';
import { LogDestination, ServiceLog } from '../../kernel/http';
import { type RunningService, startService } from '../../service';
import { runCommand } from '../cli';
import { type Extension, type ExtensionModule, gatherExtensions } from '../extensions';
import type { Env } from './driver-under-test';
import { eventually } from './eventually';
import { folderOfService } from './service-process';

/** How many events of an organization are looked through at once. */
const MOST_EVENTS = 1_000;

/** What a service in a test is started with. */
export interface ServiceOptions {
  /** Besides those that `EXTENSIONS` of the settings names. */
  readonly extensions?: readonly (Extension | ExtensionModule)[];
  /**
   * By their names in the environment, of which nothing else is read. Default: a free port, and a `DATA_DIR` with a database of its
   * own, which goes with the service.
   */
  readonly settings?: Env;
}

/** What a request is sent with. */
export interface CallOptions {
  /** The credential; null for none. Default: the key of the first user, an owner. */
  readonly as?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the API answered. */
export interface Answer {
  readonly status: number;
  /** Parsed where it is JSON, else null. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** The time of day of a service in a test. */
export class ClockUnderTest {
  private aheadMs = 0;

  constructor(clock: Clock) {
    const now = clock.now.bind(clock);
    clock.now = () => new Date(now().getTime() + this.aheadMs);
  }

  /**
   * Has the service see a later time. What it measures goes on as before, caches and leases among it, and so do timers, the
   * times of jobs and the clock of the database.
   */
  advance(ms: number): void {
    this.aheadMs += ms;
  }
}

/** The whole service in the process of a test, with extensions: their providers are at hand, and so is its clock. */
export class ServiceUnderTest {
  readonly clock: ClockUnderTest;

  private constructor(
    private readonly service: RunningService,
    private readonly env: Env,
    private readonly extensions: readonly (Extension | ExtensionModule)[],
    private readonly folder: string,
    /** The key of the first user, who is the owner of the first organization. */
    readonly key: string,
  ) {
    this.clock = new ClockUnderTest(this.get(Clock));
  }

  /** @throws SettingsError, StartError; Error where the database has users, and `BOOTSTRAP_KEY` is not one's key */
  static async start({ extensions = [], settings = {} }: ServiceOptions = {}): Promise<ServiceUnderTest> {
    const folder = await folderOfService();
    const env = { DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...settings };
    try {
      const all = await gatherExtensions(extensions, env);
      const read = readSettings(env, [...SANDBOX_DRIVERS, ...all.sandboxDrivers], all.settingProblems);
      const logDestination = new LogDestination();
      const log = pino({ level: read.LOG_LEVEL, base: { context: 'Service' } }, logDestination);
      const service = await startService(read, { log, logDestination, showsKey: true, extensions: all });
      const key = service.first?.key ?? read.BOOTSTRAP_KEY;
      if (key !== undefined) return new ServiceUnderTest(service, env, extensions, folder, key);
      await service.stop();
      throw new Error('The database has users already: BOOTSTRAP_KEY has to be the key of one.');
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Without a slash at the end. */
  get url(): string {
    return `http://127.0.0.1:${this.service.settings.PORT}`;
  }

  /** A provider of the service or of an extension. @throws Error where there is none */
  get<Provider>(provider: Type<Provider>): Provider {
    return this.service.get(provider);
  }

  /** Sends a request. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { as = this.key, body, headers } = options;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(as !== null && { 'X-Access-Token': as }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      body: isJson ? (JSON.parse(text) as unknown) : null,
      headers: response.headers,
    };
  }

  /**
   * Runs a command of the command line on the same installation, one of its extensions as well: as in a process of its own, with
   * providers of its own.
   * @returns its result
   * @throws what the command throws
   */
  async cli(...args: string[]): Promise<unknown> {
    try {
      return JSON.parse(await runCommand(args, this.env, this.extensions)) as unknown;
    } finally {
      // Nest has one log for all applications of a process.
      Logger.overrideLogger(this.get(ServiceLog));
    }
  }

  /**
   * Publishes a domain event in a transaction of its own, as if what it says had happened: one of the service, or by its kind, its
   * organization and its fields one of an extension.
   * @throws what a listener throws, and `ExtensionEvents`
   */
  async publish(event: PublishedEvent): Promise<void>;
  async publish(kind: string, orgId: string, fields: Readonly<Record<string, unknown>>): Promise<void>;
  async publish(
    given: PublishedEvent | string,
    orgId = '',
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.get(DataSource).transaction((transaction) =>
      typeof given === 'string'
        ? this.get(ExtensionEvents).publish(transaction, given, orgId, fields)
        : this.get(DomainEvents).publish(transaction, given),
    );
  }

  /**
   * Waits until an event is in the log of an organization.
   * @param fields what it says, besides its kind
   * @returns the first one
   */
  async happened<Kind extends DomainEventKind>(
    orgId: string,
    kind: Kind,
    fields?: Partial<DomainEventOf<Kind>>,
  ): Promise<DomainEventOf<Kind>>;
  async happened<const Kind extends string>(
    orgId: string,
    kind: Kind & ExtensionEventKind<Kind>,
    fields?: Readonly<Record<string, unknown>>,
  ): Promise<ExtensionEvent>;
  async happened(orgId: string, kind: string, fields: object = {}): Promise<AnyDomainEvent> {
    const isMeant = (event: AnyDomainEvent): boolean =>
      event.kind === kind &&
      Object.entries(fields).every(([name, value]) => isDeepStrictEqual(Reflect.get(event, name), value));
    return eventually(async () => {
      for (let [after, hasMore] = [0, true]; hasMore;) {
        const page = (await this.get(DomainEventReader).after(new Map([[orgId, after]]), MOST_EVENTS)).get(
          orgId,
        );
        const found = page?.events.map(({ event }) => event).find(isMeant);
        if (found !== undefined) return found;
        [after, hasMore] = [page?.end ?? after, page?.hasMore ?? false];
      }
      return assert.fail(`There was no ${kind} with ${JSON.stringify(fields)}.`);
    });
  }

  /**
   * Reports events to the service as the agent server of a conversation does, so that an agent says or does what a test needs.
   * @param events with `id`, `kind`, `source` and `timestamp`
   * @throws AssertionError where the conversation has no sandbox of the owner's, or the report is refused
   */
  async report(
    conversationId: string,
    ...events: readonly Readonly<Record<string, unknown>>[]
  ): Promise<void> {
    const { body } = await this.call('GET', `/api/v1/app-conversations/${conversationId}`);
    const { session_api_key: key } = body as { readonly session_api_key?: string | null };
    assert.ok(key, `Conversation ${conversationId} has no sandbox that runs: ${JSON.stringify(body)}`);
    const path = `/api/v1/webhooks/events/${conversationId.replaceAll('-', '')}`;
    const headers = { 'X-Session-API-Key': key };
    const answer = await this.call('POST', path, { as: null, headers, body: events });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }

  /**
   * Starts a conversation as the owner, and waits until it is ready. Its agent is the embedded one, which repeats what it is told,
   * unless the settings say otherwise.
   * @param request the body of the operation
   * @returns the id of the conversation
   */
  async startConversation(request: object = {}): Promise<string> {
    const { status, body } = await this.call('POST', '/api/v1/app-conversations', { body: request });
    assert.equal(status, 200, JSON.stringify(body));
    const { id } = body as { readonly id: string };
    return eventually(async () => {
      const answer = await this.call('GET', `/api/v1/app-conversations/start-tasks?ids=${id}`);
      const [task] = answer.body as { readonly status: string; readonly app_conversation_id: string }[];
      assert.ok(task?.status === 'READY', `The start of the conversation is ${JSON.stringify(task)}.`);
      return task.app_conversation_id;
    });
  }

  /** Ends it with all that it started, and deletes its folder. */
  async stop(): Promise<void> {
    try {
      await this.service.stop();
    } finally {
      await rm(this.folder, { recursive: true, force: true });
    }
  }
}
