import { getSchemaPath } from '@nestjs/swagger';
import { namedSchema } from '../../../kernel/http';
import {
  Condensation,
  CondensationRequest,
  CondensationSummaryEvent,
  ConversationErrorEvent,
  ConversationStateUpdateEvent,
  LLMCompletionLogEvent,
  MessageEvent,
  OtherEvent,
  PauseEvent,
  SystemPromptEvent,
  TokenEvent,
} from './event-kinds.dto';
import { ActionEvent, AgentErrorEvent, ObservationEvent, UserRejectObservation } from './tool-events.dto';

/**
 * The kinds of events (docs/contract.md#event-kinds); events of other kinds are stored and answered just the
 * same.
 */
const KINDS = {
  Condensation,
  CondensationRequest,
  CondensationSummaryEvent,
  ConversationErrorEvent,
  ConversationStateUpdateEvent,
  LLMCompletionLogEvent,
  ActionEvent,
  MessageEvent,
  AgentErrorEvent,
  ObservationEvent,
  UserRejectObservation,
  SystemPromptEvent,
  TokenEvent,
  PauseEvent,
};

export const EVENT_KINDS = Object.keys(KINDS);

/** The classes of the OpenAPI document that describe events. */
export const EVENT_MODELS = [...Object.values(KINDS), OtherEvent];

/** How an event shows in the OpenAPI document: one of the kinds, distinguished by `kind`, or of a later kind. */
export const EVENT_SCHEMA = namedSchema('ConversationEvent', {
  anyOf: [
    {
      oneOf: Object.values(KINDS).map((model) => ({ $ref: getSchemaPath(model) })),
      discriminator: {
        propertyName: 'kind',
        mapping: Object.fromEntries(
          Object.entries(KINDS).map(([kind, model]) => [kind, getSchemaPath(model)]),
        ),
      },
    },
    { $ref: getSchemaPath(OtherEvent) },
  ],
  example: {
    id: '469ec610-2ab5-4bec-a843-b6c38639d41b',
    timestamp: '2026-01-02T03:04:05.678901',
    source: 'agent',
    llm_message: { role: 'assistant', content: [{ type: 'text', text: 'All tests pass.' }] },
    llm_response_id: null,
    kind: 'MessageEvent',
  },
});
