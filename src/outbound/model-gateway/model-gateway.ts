import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { ConversationModels, type ListedModels } from '../../agents/agent-settings';
import { GATEWAY_PATH } from '../../agents/gateway-access';
import { ModelPolicies } from '../../agents/model-policy';
import { setIdentity } from '../../kernel/auth';
import { AppError } from '../../kernel/common';
import { SETTINGS, type Settings } from '../../kernel/config';
import { isDatabaseUnavailable } from '../../kernel/database';
import {
  BodyTooLargeError,
  DatabaseUnavailableError,
  dropRest,
  InternalError,
  MethodNotAllowedError,
  noteErrorCode,
  noteRoute,
  readBody,
  SECURITY_HEADERS,
  type Shortcut,
  UnknownPathError,
  UnsupportedEncodingError,
} from '../../kernel/http';
import { CallAdmission } from './admission/call-admission';
import { ModelCallRun } from './calls/model-call-run';
import { GatewayMetrics } from './gateway-metrics';
import { modelList } from './model-list';
import { type Endpoint, endpointOf, errorText, type Protocol } from './protocol/protocols';

/** The label in metrics of what is no path of the gateway. */
const OTHER_ROUTE = `${GATEWAY_PATH}/*path`;
/** At a stop, how long what is settled is waited for. */
const SETTLE_MS = 5_000;
/** How long a body may take. */
const BODY_MS = 60_000;

/**
 * The gateway for models: agents call it as they would call a provider, with the key of their conversation
 * (docs/model-gateway.md). Without Express, which would cost more than all the rest.
 */
@Injectable()
export class ModelGateway implements OnApplicationShutdown {
  private readonly log = new Logger('ModelGateway');
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly admission: CallAdmission,
    private readonly models: ConversationModels,
    private readonly policies: ModelPolicies,
    private readonly calls: ModelCallRun,
    private readonly metrics: GatewayMetrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Answers everything below the path of the gateway. */
  readonly shortcut: Shortcut = (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path !== GATEWAY_PATH && !path.startsWith(`${GATEWAY_PATH}/`)) return false;
    const endpoint = endpointOf(path);
    noteRoute(request, endpoint?.route ?? OTHER_ROUTE);
    response.setHeader('X-Request-Id', request.id);
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    const answered = this.answer(request, response, endpoint).catch((error: unknown) =>
      this.refuse(request, response, { endpoint, error }),
    );
    this.underWay.add(answered);
    void answered.finally(() => this.underWay.delete(answered));
    return true;
  };

  /** What is under way has been cut off by now; what it cost is still to be written. */
  async onApplicationShutdown(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, SETTLE_MS).unref());
    await Promise.race([Promise.all(this.underWay), late]);
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    endpoint: Endpoint | null,
  ): Promise<void> {
    const beganAt = performance.now();
    const conversationId = this.admission.conversationOf(request.headers);
    if (endpoint === null) throw new UnknownPathError();
    const { protocol } = endpoint;
    const method = protocol === null ? 'GET' : 'POST';
    if (request.method !== method) throw new MethodNotAllowedError([method]);
    const lookUp = (): Promise<ListedModels | null> => this.models.listed(conversationId);
    const { found: listed, leave } = await this.admission.enter(conversationId, lookUp);
    try {
      const { orgId, userId, sandboxId } = listed.caller;
      setIdentity(request, { sandbox: { sandboxId, orgId, createdByUserId: userId } });
      if (protocol === null) {
        await this.list(request, response, listed);
        return;
      }
      const bytes = this.lengthOf(request);
      const free = this.admission.hold(conversationId, orgId, bytes);
      try {
        const read = (): Promise<Buffer> => this.bodyOf(request);
        const body = await this.admission.whileReading(conversationId, bytes, read);
        await this.calls.run({ request, response, conversationId, protocol, body, beganAt });
      } finally {
        free();
      }
    } finally {
      leave();
    }
  }

  private async list(
    request: IncomingMessage,
    response: ServerResponse,
    { caller: { orgId, role }, names: listed }: ListedModels,
  ): Promise<void> {
    const names = await this.policies.allowedAmong(orgId, role, listed);
    sendJson(response, 200, modelList(names, request.headers['anthropic-version'] !== undefined));
    this.metrics.ended(null, 'ok');
  }

  /** @throws BodyTooLargeError */
  private lengthOf({ headers }: IncomingMessage): number {
    const most = this.settings.MODEL_GATEWAY_BODY_BYTES;
    const length = headers['content-length'];
    if (length === undefined) return most;
    if (Number(length) > most) throw new BodyTooLargeError(most);
    return Number(length);
  }

  /** @throws UnsupportedEncodingError, BodyTooLargeError, BodyIncompleteError */
  private async bodyOf(request: IncomingMessage): Promise<Buffer> {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding !== 'identity' && encoding !== '') throw new UnsupportedEncodingError();
    const late = setTimeout(() => request.destroy(), BODY_MS).unref();
    try {
      return await readBody(request, this.settings.MODEL_GATEWAY_BODY_BYTES);
    } finally {
      clearTimeout(late);
    }
  }

  private refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { endpoint, error: thrown }: { readonly endpoint: Endpoint | null; readonly error: unknown },
  ): void {
    const error = this.asAppError(thrown, request);
    const protocol: Protocol | null = endpoint?.protocol ?? null;
    this.metrics.ended(protocol, error.code);
    noteErrorCode(request, error.code);
    if (response.destroyed) return;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    const text = errorText(protocol, error);
    // Somebody who writes a whole body before they read would find a broken connection instead of the answer.
    if (request.complete) sendText(response, error.status, text);
    else {
      response.setHeader('Connection', 'close');
      sendText(response, error.status, text);
      dropRest(request, () => undefined);
    }
  }

  private asAppError(thrown: unknown, request: IncomingMessage): AppError {
    if (thrown instanceof AppError) return thrown;
    if (isDatabaseUnavailable(thrown)) return new DatabaseUnavailableError(thrown);
    this.log.error({ err: thrown, requestId: request.id }, 'A call to a model failed');
    return new InternalError();
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendText(response, status, JSON.stringify(value));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
