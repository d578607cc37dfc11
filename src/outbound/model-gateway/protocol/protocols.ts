import { GATEWAY_PATH } from '../../../agents/gateway-access';
import { type AppError, isRecord } from '../../../kernel/common';

/** What the gateway speaks: three operations of OpenAI's API, and one of Anthropic's. */
export type Protocol = 'chat' | 'responses' | 'embeddings' | 'messages';

/** Something that the gateway answers. */
export interface Endpoint {
  /** Null for the list of models. */
  readonly protocol: Protocol | null;
  /** The template of its path. */
  readonly route: string;
}

/** The path of an operation below the version: of the gateway, and at a provider. */
export const OPERATION_PATHS: Readonly<Record<Protocol, string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  embeddings: '/embeddings',
  messages: '/messages',
};

const PROTOCOLS: readonly Protocol[] = ['chat', 'responses', 'embeddings', 'messages'];

const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  [...PROTOCOLS, null].map((protocol) => {
    const route = GATEWAY_PATH + (protocol === null ? '/models' : OPERATION_PATHS[protocol]);
    return [route, { protocol, route }];
  }),
);

/** @param path without the query; null for what is no path of the gateway */
export function endpointOf(path: string): Endpoint | null {
  return ENDPOINTS.get(path) ?? null;
}

/** Names that both APIs have for their errors, by status. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** An error in the form that clients of the protocol read, with the sentence and the code that the agent's log then has. */
export function errorText(protocol: Protocol | null, error: AppError): string {
  const { status, code, message } = error;
  const type = TYPES[status] ?? 'api_error';
  const body = error.toBody();
  const { detail: _detail, ...more } = isRecord(body) ? body : {};
  return JSON.stringify(
    protocol === 'messages'
      ? { type: 'error', error: { type, message, ...more, code } }
      : { error: { message, type, param: null, ...more, code } },
  );
}
