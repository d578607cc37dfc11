import { say, texts } from '../../text';
import { textIn } from './conversation-texts';

type Fields = Readonly<Record<string, unknown>>;

/** An event of an agent server, of which nothing is sure but that it is an object with these texts. */
export interface ShownEvent {
  readonly id: string;
  readonly kind: string;
  readonly source: string;
  readonly timestamp: string;
  readonly fields: Fields;
}

/** @returns null for what is no event */
export function shownEventOf(value: unknown): ShownEvent | null {
  const fields = fieldsOf(value);
  const id = textOf(fields['id']);
  if (id === '') return null;
  return {
    id,
    kind: textOf(fields['kind']),
    source: textOf(fields['source']),
    timestamp: textOf(fields['timestamp']),
    fields,
  };
}

/** What happened, in a few words. */
export function labelOf({ kind, fields }: ShownEvent): string {
  if (isStop(fields)) return texts.conversations.events.stopped;
  const label = textIn(texts.conversations.events.kinds, kind) ?? kind;
  return say(label, { tool: textOf(fields['tool_name']) });
}

/** Whether it tells the creator that somebody else has stopped the conversation. */
function isStop({ kind, code }: Fields): boolean {
  return kind === 'ConversationErrorEvent' && code === 'conversation_stopped';
}

/** Whose event it is. */
export function sourceOf({ source }: ShownEvent): string {
  return textIn(texts.conversations.events.sources, source) ?? source;
}

/** What people read of an event; empty where there is nothing that the label does not say. */
export function textOfEvent({ kind, fields }: ShownEvent): string {
  switch (kind) {
    case 'MessageEvent':
      return textOfBlocks(fieldsOf(fields['llm_message'])['content']);
    case 'ActionEvent':
      return lines(
        textOf(fields['summary']),
        textOfBlocks(fields['thought']),
        textOfAction(fieldsOf(fields['action'])),
      );
    case 'ObservationEvent':
      return textOfBlocks(fieldsOf(fields['observation'])['content']);
    case 'UserRejectObservation':
      return textOf(fields['rejection_reason']);
    case 'AgentErrorEvent':
      return textOf(fields['error']);
    case 'ConversationErrorEvent':
      return lines(isStop(fields) ? '' : textOf(fields['code']), textOf(fields['detail']));
    case 'ConversationStateUpdateEvent':
      return textOfState(textOf(fields['key']), fields['value']);
    case 'SystemPromptEvent':
      return textOf(fieldsOf(fields['system_prompt'])['text']);
    case 'Condensation':
    case 'CondensationSummaryEvent':
      return textOf(fields['summary']);
    case 'LLMCompletionLogEvent':
      return textOf(fields['filename']);
    default:
      return '';
  }
}

/** The text of the blocks of a message; images are named only. */
export function textOfBlocks(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return lines(
    ...content.map((block) => {
      const { type, text } = fieldsOf(block);
      return type === 'image' ? texts.conversations.events.image : textOf(text);
    }),
  );
}

/** What a tool is called with, beside its kind. */
function textOfAction(action: Fields): string {
  const command = textOf(action['command']);
  if (command !== '') return command;
  const { kind: _, ...given } = action;
  return Object.keys(given).length === 0 ? '' : JSON.stringify(given, null, 2);
}

/** A whole state is too much to be read: of it only what changes here. */
function textOfState(key: string, value: unknown): string {
  const isWhole = key === 'full_state';
  const shown = isWhole ? fieldsOf(value)['execution_status'] : value;
  const name = isWhole ? 'execution_status' : key;
  if (shown === undefined) return name;
  return `${name}: ${typeof shown === 'string' ? shown : JSON.stringify(shown)}`;
}

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/** The fields of an object, none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text, empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
