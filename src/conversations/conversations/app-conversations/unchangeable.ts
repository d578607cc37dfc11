import { OnlyAtStartError, SharingNotSupportedError } from '../record/conversations.errors';
import type { ConversationRow } from '../record/conversation-row';
import type { AppConversationUpdate, StartOnlyFields } from './conversation-update.dto';

const START_ONLY = [
  'conversation_id',
  'sandbox_id',
  'initial_message',
  'system_message_suffix',
  'processors',
  'llm_model',
  'agent_profile_id',
  'dependency_repos',
  'suggested_task',
  'trigger',
  'parent_conversation_id',
  'agent_type',
  'plugins',
  'secrets',
] as const satisfies readonly (keyof StartOnlyFields)[];

/**
 * Refuses to drop what an update cannot do; what the record has already passes, so that one that was read can be sent
 * back (docs/contract.md#conversation-record).
 * @throws SharingNotSupportedError, OnlyAtStartError
 */
export function assertChangeable(update: AppConversationUpdate, row: ConversationRow): void {
  if (update.public) throw new SharingNotSupportedError();
  const current: Partial<Record<string, unknown>> = {
    conversation_id: row.id,
    sandbox_id: row.sandboxId,
    llm_model: row.llmModel,
    agent_profile_id: row.launchedProfileId,
    trigger: row.trigger,
    parent_conversation_id: row.parentConversationId,
  };
  const refused = START_ONLY.find((field) => {
    const wanted = update[field];
    return wanted !== undefined && wanted !== (current[field] ?? null) && !isEmpty(wanted);
  });
  if (refused !== undefined) throw new OnlyAtStartError(refused);
}

/** Clients that are generated for some languages send empty lists and objects for what nobody has set. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
