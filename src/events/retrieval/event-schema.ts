/**
 * The kinds of events (docs/contract.md#event-kinds); events of other kinds are stored and answered just the
 * same.
 */
export const EVENT_KINDS = [
  'Condensation',
  'CondensationRequest',
  'CondensationSummaryEvent',
  'ConversationErrorEvent',
  'ConversationStateUpdateEvent',
  'LLMCompletionLogEvent',
  'ActionEvent',
  'MessageEvent',
  'AgentErrorEvent',
  'ObservationEvent',
  'UserRejectObservation',
  'SystemPromptEvent',
  'TokenEvent',
  'PauseEvent',
];

/** How an event shows in the OpenAPI document: what all have in common, and `kind` to tell them apart. */
export const EVENT_SCHEMA = {
  type: 'object',
  title: 'ConversationEvent',
  required: ['id', 'kind', 'timestamp', 'source'],
  properties: {
    id: { type: 'string', description: 'Unique within the conversation.' },
    kind: { type: 'string', description: `One of ${EVENT_KINDS.join(', ')}, or a later kind.` },
    timestamp: { type: 'string', description: 'Time of the event, in UTC.' },
    source: { type: 'string', description: 'agent, user or environment.' },
  },
  additionalProperties: true,
  example: {
    id: '469ec610-2ab5-4bec-a843-b6c38639d41b',
    timestamp: '2026-01-02T03:04:05.678901',
    source: 'agent',
    llm_message: { role: 'assistant', content: [{ type: 'text', text: 'All tests pass.' }] },
    kind: 'MessageEvent',
  },
};
