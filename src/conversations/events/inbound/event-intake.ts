import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { SandboxCaller } from '../../../kernel/auth';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { CallsTogether } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { type DelayedJob, delayedJobValues } from '../../../kernel/jobs';
import { SandboxDrivers } from '../../../sandboxes/sandboxes';
import { type ReportedState, reportKinds, reportValues } from '../../conversations';
import { TAKE_EVENTS, TAKE_EVENTS_AND_REPORT, type TakenRow } from '../storage/event.query';
import { EventLimits, EventRepository } from '../storage/event.repository';
import type { ReceivedEvent } from '../storage/received-event';

/** The most calls of one statement, or events, or characters; a call with more goes beside the others. */
const MOST_CALLS = 64;
const MOST_EVENTS = 1_000;
const MOST_CHARACTERS = 512 * 1024;

/** A call of an agent server with events, which have different ids. */
export interface EventCall {
  readonly sandbox: SandboxCaller;
  readonly conversationId: string;
  readonly events: readonly ReceivedEvent[];
}

/** A call that is stored. */
export interface TakenCall {
  readonly sandboxId: string | null;
}

/**
 * Stores the events of plain calls, each in one statement: of callers that may, all new, far from every limit, of
 * conversations that have events. Calls that arrive while another one is stored are stored together after it, and so
 * committed together (docs/decisions/0049-events-taken-by-one-statement.md). For other calls nothing is done.
 */
@Injectable()
export class EventIntake {
  private readonly together = new CallsTogether(
    (calls: readonly EventCall[]) => this.store(calls),
    (call) =>
      Math.max(1 / MOST_CALLS, call.events.length / MOST_EVENTS, charactersOf(call) / MOST_CHARACTERS),
  );

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly limits: EventLimits,
    private readonly drivers: SandboxDrivers,
    private readonly domainEvents: DomainEvents,
    private readonly events: EventRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param report what the events say of the conversation
   * @param job what is to be done about it; never without a report
   * @returns null for a call that is not plain
   */
  async take(call: EventCall, report: ReportedState, job: DelayedJob | null): Promise<TakenCall | null> {
    if (isReport(report)) return this.takeWithReport(call, report, job);
    return this.together.take(call);
  }

  private async takeWithReport(
    call: EventCall,
    report: ReportedState,
    job: DelayedJob | null,
  ): Promise<TakenCall | null> {
    const far = this.farAmong([call]);
    const values = [...this.valuesOf([call], far, false), ...this.reportedValues(report, job)];
    const [row] = await TAKE_EVENTS_AND_REPORT.rows(this.database, values);
    if (row === undefined) return null;
    this.domainEvents.loggedAlone();
    return this.taken(row, far);
  }

  /** Whether listeners in the transaction wait for a call, or for what it may change: it is then taken in one. */
  isHeard({ events }: EventCall, report: ReportedState): boolean {
    return this.areHeard(events) || this.isChangeHeard(report);
  }

  /** As {@link take}, in a transaction, whose listeners are called. @throws what they throw */
  async takeIn(
    transaction: EntityManager,
    call: EventCall,
    report: ReportedState,
    job: DelayedJob | null,
  ): Promise<TakenCall | null> {
    const isHeard = this.areHeard(call.events);
    const far = this.farAmong([call]);
    const values = [...this.valuesOf([call], far, isHeard), ...this.reportedValues(report, job)];
    const [row] = await TAKE_EVENTS_AND_REPORT.rowsIn(transaction, values);
    if (row === undefined) return null;
    if (isHeard || (row.written && this.isChangeHeard(report)))
      await this.domainEvents.publishLogged(transaction, 'event.received', ...reportKinds(report));
    return this.taken(row, far);
  }

  /**
   * Stores the events of a call whose caller may, whatever of them is new; near a limit, too.
   * @returns the events that were new
   * @throws ConversationEventBytesError, OrganizationEventBytesError, and what listeners throw
   */
  takeInSteps(transaction: EntityManager, { conversationId, events }: EventCall): Promise<ReceivedEvent[]> {
    return this.events.add(transaction, conversationId, events);
  }

  private areHeard(events: readonly ReceivedEvent[]): boolean {
    return events.some(({ kind }) => this.domainEvents.listensTo('event.received', kind));
  }

  private isChangeHeard(report: ReportedState): boolean {
    return isReport(report) && reportKinds(report).some((kind) => this.domainEvents.listensTo(kind));
  }

  /** @returns of each call in its place, null where nothing is done */
  private async store(calls: readonly EventCall[]): Promise<(TakenCall | null)[]> {
    const sorted = [...calls.entries()].sort(([, a], [, b]) => compareIds(a, b));
    const inOrder = sorted.map(([, call]) => call);
    const far = this.farAmong(calls);
    const rows = await TAKE_EVENTS.rows(this.database, this.valuesOf(inOrder, far, false));
    if (rows.length > 0) this.domainEvents.loggedAlone();
    const byPlace = new Map(rows.map((row) => [sorted[row.call - 1]?.[0], this.taken(row, far)]));
    return calls.map((_, place) => byPlace.get(place) ?? null);
  }

  /** Organizations that need not be looked at. */
  private farAmong(calls: readonly EventCall[]): string[] {
    const orgs = new Set(calls.flatMap(({ sandbox }) => sandbox.orgId ?? []));
    return [...orgs].filter((org) => this.limits.isKnownFar(org));
  }

  private valuesOf(calls: readonly EventCall[], far: readonly string[], isHeard: boolean): unknown[] {
    const events = calls.flatMap((call) => call.events);
    const [mostOfConversation, farOfOrg] = this.limits.bytes;
    const isOfSharedServer = calls.some(({ sandbox }) => sandbox.sandboxId === null);
    return [
      calls.map(({ conversationId }) => conversationId),
      calls.map(({ sandbox }) => sandbox.sandboxId),
      calls.map(({ sandbox }) => sandbox.orgId),
      isOfSharedServer ? this.drivers.sharingServers() : [],
      calls.map((call) => call.events.length),
      calls.map((call) => bytesOf(call)),
      events.map(({ id }) => id),
      events.map(({ kind }) => kind),
      events.map(({ occurredAt }) => occurredAt.toISOString()),
      events.map(({ payload }) => payload),
      mostOfConversation,
      far,
      farOfOrg,
      isHeard,
    ];
  }

  private reportedValues(report: ReportedState, job: DelayedJob | null): unknown[] {
    const isGatewayOn = this.settings.MODEL_GATEWAY === 'on';
    return [...reportValues(report), ...delayedJobValues(job), isGatewayOn];
  }

  private taken(row: TakenRow, far: readonly string[]): TakenCall {
    if (!far.includes(row.org)) this.limits.noteFar(row.org);
    return { sandboxId: row.sandbox };
  }
}

/** Whether there is anything in a report. */
function isReport(report: ReportedState): boolean {
  return Object.keys(report).length > 0;
}

/** As PostgreSQL orders UUIDs; those of one conversation stay as they came. */
function compareIds({ conversationId: a }: EventCall, { conversationId: b }: EventCall): number {
  return a < b ? -1 : Number(a > b);
}

function charactersOf({ events }: EventCall): number {
  return events.reduce((sum, { payload }) => sum + payload.length, 0);
}

function bytesOf({ events }: EventCall): number {
  return events.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
}
