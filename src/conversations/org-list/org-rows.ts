import { CONVERSATION_COLUMNS } from '../conversation-rows';

/** The columns of an `OrgConversationRow`, of a conversation `c`. */
export const ROWS = `
  SELECT ${CONVERSATION_COLUMNS}, u.email AS user_email, s.status AS sandbox_status,
         s.stopping AS sandbox_stopping, s.driver AS sandbox_driver, s.base_url AS sandbox_base_url,
         s.port AS sandbox_port`;

/** What is read beside the conversation for them. */
export const BESIDE =
  'LEFT JOIN users u ON u.id = c.created_by_user_id LEFT JOIN sandboxes s ON s.id = c.sandbox_id';
