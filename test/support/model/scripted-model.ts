import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ModelCall, readModelCall } from './model-call';
import { completion, completionChunks, type ModelReply, reply } from './model-reply';

export type { ModelCall } from './model-call';
export { type ModelReply, reply } from './model-reply';

/** Selects the calls that a rule answers. */
export type CallMatcher = string | RegExp | ((call: ModelCall) => boolean);

interface Rule {
  readonly matcher: CallMatcher;
  readonly steps: readonly ModelReply[];
}

/** The reply to a call without tools, which asks for a title, unless a rule matches. */
const TITLE = reply.text('Scripted title');

/**
 * An OpenAI-compatible model on loopback that follows a script. Each call gets, in this order of preference: the next
 * reply of the queue; that of the newest matching rule; a title if it has no tools; an echo.
 */
export class ScriptedModel {
  private readonly server = createServer((request, response) => {
    this.serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  private readonly calls: ModelCall[] = [];
  private readonly queue: ModelReply[] = [];
  private readonly waiting = new Set<() => void>();
  private rules: Rule[] = [];
  private answered = 0;
  /** Ids stay unique when several models speak to one agent server. */
  private readonly prefix = `chatcmpl-${process.pid}-${performance.now().toString(36).replace('.', '')}`;

  /** Listens on a free port. */
  static async start(host = '127.0.0.1'): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    await new Promise<void>((resolve) => model.server.listen(0, host, resolve));
    return model;
  }

  /** The `base_url` for an LLM. */
  get baseUrl(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${address}:${port}/v1`;
  }

  /** The LLM configuration for an agent server: this model, without retries that take minutes. */
  get llm(): Record<string, unknown> {
    const access = { base_url: this.baseUrl, api_key: 'scripted-model-key', num_retries: 0 };
    return { model: 'openai/scripted', usage_id: 'agent', ...access };
  }

  /** Every call so far, oldest first. */
  get requests(): readonly ModelCall[] {
    return this.calls;
  }

  /** How many calls hang at this moment. */
  get hanging(): number {
    return this.waiting.size;
  }

  /** Replies for the next calls with tools, one each, before any rule. */
  enqueue(...replies: readonly ModelReply[]): void {
    this.queue.push(...replies);
  }

  /**
   * Answers calls whose last user message contains a text, or as the matcher says. The steps follow how often
   * the model has spoken since that message, so a repeated call gets the same step again; after the last
   * step comes the last one. Agents merge consecutive user messages into one, so a text that got no answer is
   * matched again together with the next.
   */
  when(matcher: CallMatcher, ...steps: readonly ModelReply[]): void {
    this.rules.unshift({ matcher, steps });
  }

  /** Clears script and calls; hanging calls keep hanging. */
  reset(): void {
    this.rules = [];
    this.queue.length = 0;
    this.calls.length = 0;
    this.release();
  }

  /** Releases all hanging calls, which then get their next reply. */
  release(): void {
    for (const goOn of [...this.waiting]) goOn();
  }

  /** Stops the server and closes all connections. */
  async stop(): Promise<void> {
    await new Promise((resolve) => {
      this.server.close(resolve);
      this.server.closeAllConnections();
    });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      sendJson(response, 404, { error: { message: `No such path: ${request.url ?? ''}` } });
      return;
    }
    const call = readModelCall(Buffer.concat(chunks).toString(), request.headers.authorization);
    this.calls.push(call);
    let next = this.choose(call);
    while (next.kind === 'hang') {
      await this.hang(response);
      next = next.then;
    }
    if (!response.destroyed) await this.send(response, call, next);
  }

  private choose(call: ModelCall): ModelReply {
    if (call.tools.length > 0) {
      const queued = this.queue.shift();
      if (queued !== undefined) return queued;
    }
    const rule = this.rules.find(({ matcher }) => matches(matcher, call));
    const step = rule?.steps[Math.min(call.repliesSinceUser, rule.steps.length - 1)];
    if (step !== undefined) return step;
    return call.tools.length === 0 ? TITLE : reply.text(`You said: ${call.lastUserText}`);
  }

  /** Waits for release(), or until the client disconnects. */
  private hang(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        this.waiting.delete(goOn);
        resolve();
      };
      this.waiting.add(goOn);
      response.once('close', goOn);
    });
  }

  private async send(
    response: ServerResponse,
    call: ModelCall,
    next: Exclude<ModelReply, { kind: 'hang' }>,
  ): Promise<void> {
    if (next.kind === 'failure') {
      const error = { message: next.message, type: 'scripted_failure', code: null };
      sendJson(response, next.status, { error });
      return;
    }
    const id = `${this.prefix}-${++this.answered}`;
    if (!call.stream) {
      sendJson(response, 200, completion(id, call, next));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [n, chunk] of completionChunks(id, call, next).entries()) {
      if (n === 1 && next.kind === 'text' && next.halts === true) await this.hang(response);
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  }
}

/** Strings and patterns match conversations, not requests for their titles: only functions see calls without tools. */
function matches(matcher: CallMatcher, call: ModelCall): boolean {
  if (typeof matcher === 'function') return matcher(call);
  if (call.tools.length === 0) return false;
  return typeof matcher === 'string'
    ? call.lastUserText.includes(matcher)
    : new RegExp(matcher.source, matcher.flags.replace(/[gy]/g, '')).test(call.lastUserText);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
