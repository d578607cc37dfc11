import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { FoundModel, ModelTarget } from '../../../agents/agent-settings';
import { HostProblem } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { GatewayMetrics } from '../gateway-metrics';
import { ModelUnreachableError, ProviderBusyError } from '../model-gateway.errors';
import { exchange, type TryOutcome } from '../passage/provider-exchange';
import { asksForUsage, bodyFor, type ModelRequest } from '../protocol/model-request';
import { type KeyOfProvider, KeyPlaces } from '../providers/key-places';
import { ProviderConnections } from '../providers/provider-connections';
import { knownProvider, nameAt } from '../providers/provider-addresses';
import { type ProviderRequest, requestFor } from '../providers/provider-request';
import { AnswerMemory } from '../usage/answer-memory';
import { UsageReader } from '../usage/usage-reader';

/** Answers after which somebody else may be asked, as none of them has cost anything. */
const TRIED_ELSEWHERE = new Set([408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529]);
/** Places of a call that are tried: where so many fail, another one would too. */
const MOST_CANDIDATES = 5;
/** What a provider that is too busy says nothing about. */
const PAUSE_MS = 1_000;

/** A call that is to be made. */
export interface WantedCall {
  readonly request: ModelRequest;
  readonly found: FoundModel;
  readonly headers: IncomingHttpHeaders;
  /** The most that the organization lets a model write; null for any. */
  readonly maxOutput: number | null;
}

/** One of the places where a call can be made. */
interface Candidate {
  readonly target: ModelTarget;
  readonly made: ProviderRequest;
  readonly key: KeyOfProvider;
}

/** A candidate with a place in its limit. */
interface Taken {
  readonly candidate: Candidate;
  readonly giveBack: () => void;
}

/** How the last try ended, and where. */
export interface LastTry {
  readonly outcome: TryOutcome;
  readonly target: ModelTarget;
  /** Host of the provider. */
  readonly host: string;
  readonly tries: number;
}

/** Makes calls to providers: the first that is free, and the next where one fails before its first byte. */
@Injectable()
export class ProviderTries {
  private readonly idleMs: number;

  constructor(
    private readonly places: KeyPlaces,
    private readonly connections: ProviderConnections,
    private readonly memory: AnswerMemory,
    private readonly metrics: GatewayMetrics,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.idleMs = settings.MODEL_GATEWAY_IDLE_SECONDS * 1_000;
  }

  /**
   * Takes a place for a call.
   * @param signal ends the wait for one
   * @throws ModelUnreachableError, GatewayBusyError, ProviderBusyError
   */
  async begin(call: WantedCall, signal: AbortSignal): Promise<BegunCall> {
    const candidates = this.candidatesFor(call);
    const [first] = candidates;
    if (first === undefined) throw new ModelUnreachableError(call.found.model);
    for (const candidate of candidates) {
      const giveBack = this.places.tryTake(candidate.key);
      if (giveBack !== null) return new BegunCall({ candidate, giveBack }, candidates);
    }
    return new BegunCall(
      { candidate: first, giveBack: await this.places.take(first.key, signal) },
      candidates,
    );
  }

  /** Makes the call. What is answered with success has then gone to the caller. */
  async run(call: WantedCall, begun: BegunCall, response: ServerResponse): Promise<LastTry> {
    let present: Taken | null = begun.first;
    // By names of the model: most places have the same one.
    const bodies = new Map<string, Buffer>();
    let left = begun.candidates.filter(({ key }) => key !== begun.first.candidate.key);
    for (let tries = 1; ; tries++) {
      const { candidate, giveBack } = present;
      const { target, made, key } = candidate;
      let outcome: TryOutcome;
      try {
        const name = nameAt(call.found.model, target);
        const body = bodies.get(name) ?? bodyOf(call, name);
        bodies.set(name, body);
        outcome = await this.ask(call, { ...made, body }, response);
      } finally {
        giveBack();
      }
      this.notePause(key, outcome);
      present = isTriedElsewhere(outcome) && !response.destroyed ? this.next(left) : null;
      if (present === null) return { outcome, target, host: made.url.host, tries };
      const { key: taken } = present.candidate;
      left = left.filter((other) => other.key !== taken);
      this.metrics.failedOver();
    }
  }

  private ask(
    { request, found }: WantedCall,
    { url, headers, body }: ProviderRequest & { readonly body: Buffer },
    response: ServerResponse,
  ): Promise<TryOutcome> {
    const { protocol } = request;
    const dropsUsage = asksForUsage(request);
    try {
      return exchange(
        {
          pool: this.connections.poolFor(url),
          path: url.pathname + url.search,
          headers,
          body,
          idleMs: this.idleMs,
          readerFor: (isStream, encoding) =>
            new UsageReader({ protocol, isStream, encoding, dropsUsage }, this.memory.of(found.caller.orgId)),
        },
        response,
      );
    } catch (error) {
      if (!(error instanceof HostProblem)) throw error;
      return Promise.resolve({ kind: 'failed', why: 'host', sentence: error.message, wasSent: false });
    }
  }

  /** Those that failed a moment ago come last, and what is beyond the most is left out. @throws ProviderBusyError where all asked to wait */
  private candidatesFor({ request, found, headers }: WantedCall): Candidate[] {
    const { caller, model, targets } = found;
    const all = targets.flatMap((target): Candidate[] => {
      const made = requestFor(request.protocol, { model, headers }, target);
      if (made === null) return [];
      return [{ target, made, key: { address: target.baseUrl ?? made.url.origin, target, model, caller } }];
    });
    const paused = all.map((candidate) => ({ candidate, pause: this.places.pauseOf(candidate.key) }));
    paused.sort((one, other) => one.pause.milliseconds - other.pause.milliseconds);
    const [first] = paused;
    if (first?.pause.isAskedFor === true) throw new ProviderBusyError(first.pause.milliseconds);
    return paused.slice(0, MOST_CANDIDATES).map(({ candidate }) => candidate);
  }

  private next(left: readonly Candidate[]): Taken | null {
    for (const candidate of left) {
      const giveBack = this.places.tryTake(candidate.key);
      if (giveBack !== null) return { candidate, giveBack };
    }
    return null;
  }

  private notePause(key: KeyOfProvider, outcome: TryOutcome): void {
    if (outcome.kind === 'refused' && TRIED_ELSEWHERE.has(outcome.status)) {
      const asked = retryAfterMs(outcome.headers);
      this.places.pause(key, asked ?? PAUSE_MS, asked !== null);
    } else if (outcome.kind === 'failed' && outcome.why !== 'caller') this.places.pause(key, PAUSE_MS, false);
  }
}

/** A call that has its place at a provider. */
export class BegunCall {
  constructor(
    readonly first: Taken,
    readonly candidates: readonly Candidate[],
  ) {}

  /** Gives the place back, where the call is not made after all. */
  leave(): void {
    this.first.giveBack();
  }
}

function bodyOf({ request, found, maxOutput }: WantedCall, name: string): Buffer {
  return bodyFor(request, { model: name, provider: knownProvider(found.model) ?? '', maxOutput });
}

function isTriedElsewhere(outcome: TryOutcome): boolean {
  if (outcome.kind === 'refused') return TRIED_ELSEWHERE.has(outcome.status);
  return outcome.kind === 'failed' && (outcome.why === 'connection' || outcome.why === 'host');
}

const NUMBER = /^\d{1,9}(?:\.\d+)?$/;
/** As HTTP has it: `Date.parse` takes almost anything for a time. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds that a provider asks to wait: some say them as such, in fractions of seconds, or as a time; null for none. */
export function retryAfterMs(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): number | null {
  const exact = String(headers['retry-after-ms'] ?? '').trim();
  if (NUMBER.test(exact)) return Number(exact);
  const text = String(headers['retry-after'] ?? '').trim();
  if (NUMBER.test(text)) return Number(text) * 1_000;
  const at = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
