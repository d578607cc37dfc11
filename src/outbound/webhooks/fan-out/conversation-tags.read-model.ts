import { Statement } from '../../../kernel/database';

/** By hand because filters ask for the tags that conversations ($1) have, deleted ones too. */
export const CONVERSATION_TAGS = new Statement<{
  readonly id: string;
  readonly org_id: string;
  readonly tags: Readonly<Record<string, unknown>>;
}>('SELECT id, org_id, tags FROM conversations WHERE id = ANY ($1)');
