import { AppError, appError } from '../../kernel/common';

/** 400: the path could escape the agent server's root, or is not a valid path. */
export const PathNotPassableError = appError(
  400,
  'path_not_passable',
  'The path may have no segment "../..", in whatever encoding, and no NUL, "#" or invalid UTF-8.',
);

/** 403: one agent server serves several sandboxes, and the path does not concern a conversation of this one. */
export const SharedAgentServerError = appError(
  403,
  'agent_server_shared',
  'This agent server serves other sandboxes too: only conversations of this sandbox can be reached.',
);

/** 403: agents reach models through the gateway only, and the request would have one call another (docs/model-policy.md#past-the-gateway). */
export const ModelGatewayOnlyError = appError(
  403,
  'model_gateway_only',
  'Models are reached through the gateway of this service: start conversations, and change their models, by its own operations.',
);

/** Whose connections are counted together; `sockets` are the WebSockets of a user. */
export type ConnectionScope = 'sandbox' | 'user' | 'sockets' | 'organization' | 'replica' | 'address';

const CONNECTIONS: Readonly<Record<ConnectionScope, string>> = {
  sandbox: 'connections to the agent servers of this sandbox',
  user: 'connections to the agent servers of this user',
  sockets: 'WebSockets to the agent servers of this user',
  organization: 'connections to the agent servers of this organization',
  replica: 'connections to agent servers',
  address: 'WebSockets of this address without a key',
};

/** 429: the limit of open connections through the door is reached (docs/sandboxes.md#the-door). */
export class TooManyDoorConnectionsError extends AppError {
  /** @param whose whose limit it is */
  constructor(limit: number, whose: ConnectionScope) {
    super(
      429,
      'door_connections_exceeded',
      `There are ${limit} ${CONNECTIONS[whose]} already, as many as there may be.`,
      { 'Retry-After': '5' },
    );
  }
}

/** 429: the limit of buffered bytes in the door is reached (docs/sandboxes.md#the-door). */
export class TooManyDoorBytesError extends AppError {
  /** @param whose whose limit it is */
  constructor(whose: 'sandbox' | 'user') {
    super(
      429,
      'door_bytes_exceeded',
      `Too many bytes are on their way to and from the agent servers of this ${whose}; read what was asked for first.`,
      { 'Retry-After': '5' },
    );
  }
}

/** 400: a request for a WebSocket that violates that protocol. */
export const HandshakeMalformedError = appError(
  400,
  'websocket_handshake_malformed',
  'A WebSocket needs version 13 and a key of 16 bytes.',
  {
    'Sec-WebSocket-Version': '13',
  },
);

/** 501: the body of a request is coded in a way that only the connection it came on knows (RFC 9112, 6.1). */
export const TransferCodingError = appError(
  501,
  'transfer_coding_unknown',
  'A body may come in chunks, and in no other transfer coding.',
);
