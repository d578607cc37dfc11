import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AgentServerUnavailableError } from '../agent-server';
import { SECURITY_SCHEMES } from '../../kernel/auth';
import type { AppError } from '../../kernel/common';
import {
  addResponses,
  FORWARDED_CONTENT,
  ForwardedOperations,
  ServiceStoppingError,
} from '../../kernel/http';
import { EXAMPLE_FROM } from '../../kernel/validation';
import {
  doorPath,
  OWN_SANDBOX,
  SandboxFailedError,
  SandboxNotFoundError,
  SandboxNotRunningError,
} from '../sandboxes';
import {
  HandshakeMalformedError,
  ModelGatewayOnlyError,
  PathNotPassableError,
  SharedAgentServerError,
  TooManyDoorBytesError,
  TooManyDoorConnectionsError,
  TransferCodingError,
} from './sandbox-access.errors';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const EXAMPLE_ID = '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22';

const DESCRIPTION = `Passes the request to the agent server of the sandbox, at \`/{path}\`, and its answer back, bodies of any size
and form as they come. For the sandbox's creator by any key, and with the sandbox's own key in
\`X-Session-API-Key\`. Keys of the service are taken off and the sandbox's is put in. Of the answer's headers only
those pass that describe its body.

A GET that asks for a WebSocket opens one, such as \`/sockets/events/{conversation_id}\`; the key may also be its
query's \`session_api_key\` or its first message, \`{"type": "auth", "session_api_key": …}\`. \`GET /health\` needs no
key.`;

const RESPONSES: Readonly<Record<number, string>> = {
  400: 'The path leads out of the agent server, or the handshake of a WebSocket is malformed.',
  403: 'The agent server serves several sandboxes, and the path concerns no conversation of this one; or, with the gateway for models on, the request would choose a model.',
  404: "There is no such sandbox, it is not the caller's, or it is gone.",
  409: 'The sandbox is not running (PAUSED, STARTING, STOPPING); the sentence names the status.',
  429: 'As many connections are open, or as many bytes under way, as may be.',
  501: 'The body has another transfer coding than chunks.',
  503: 'The sandbox is in state ERROR, or its agent server does not answer.',
};

const ERRORS: readonly AppError[] = [
  new PathNotPassableError(),
  new HandshakeMalformedError(),
  new SharedAgentServerError(),
  new ModelGatewayOnlyError(),
  new SandboxNotFoundError(),
  new SandboxNotRunningError('PAUSED', EXAMPLE_ID),
  new TooManyDoorConnectionsError(256, 'sandbox'),
  new TooManyDoorBytesError('sandbox'),
  new SandboxFailedError(),
  new AgentServerUnavailableError(true, 'ECONNREFUSED'),
  new ServiceStoppingError(),
  new TransferCodingError(),
];

/** Adds the door's operations to the OpenAPI document. */
@Injectable()
export class DoorOperations {
  constructor(forwarded: ForwardedOperations) {
    forwarded.declare(`${doorPath('{sandbox_id}')}/{path}`, {
      get: operation('getFromAgentServer', 'Read from an agent server, or open a WebSocket to it'),
      post: operation('postToAgentServer', 'Post to an agent server'),
      put: operation('putToAgentServer', 'Put to an agent server'),
      patch: operation('patchAtAgentServer', 'Change something at an agent server'),
      delete: operation('deleteAtAgentServer', 'Delete something at an agent server'),
    });
  }
}

const TO_PUT_IN =
  'Put in a `path` that the agent server has this method at; its own OpenAPI document, at `openapi.json`, names them.';

function operation(operationId: string, summary: string): Operation {
  const made = {
    operationId,
    summary,
    description: DESCRIPTION,
    tags: ['Sandboxes'],
    security: [{ [SECURITY_SCHEMES.user]: [] }, { [SECURITY_SCHEMES.sandbox]: [] }],
    // The types of an operation and a parameter leave extensions out, so that literals may not have them.
    ...{ 'x-permission': null, 'x-organization': 'none', 'x-forwarded': true },
    ...(operationId === 'getFromAgentServer' ? {} : { 'x-to-put-in': TO_PUT_IN }),
    parameters: [
      {
        name: 'sandbox_id',
        in: 'path',
        required: true,
        ...{ [EXAMPLE_FROM]: OWN_SANDBOX },
        description: 'Id of the sandbox; what is no id of one is a 404.',
        schema: { type: 'string', example: EXAMPLE_ID },
      },
      {
        name: 'path',
        in: 'path',
        required: true,
        description: 'Path at the agent server, with any number of segments, as it is to be sent.',
        schema: { type: 'string', example: 'server_info' },
      },
      {
        name: 'X-Org-Id',
        in: 'header',
        required: false,
        description: 'A guard only: absent, empty or equal to the organization of the sandbox.',
        schema: {
          anyOf: [
            { type: 'string', format: 'uuid' },
            { type: 'string', maxLength: 0 },
          ],
          examples: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'],
        },
      },
    ],
    responses: {
      200: {
        description: 'What the agent server answers.',
        content: FORWARDED_CONTENT,
      },
      default: {
        description: 'What the agent server answers, with its status.',
        content: FORWARDED_CONTENT,
      },
    },
  } satisfies Operation;
  addResponses(made, { responses: RESPONSES, errors: ERRORS });
  return made;
}
