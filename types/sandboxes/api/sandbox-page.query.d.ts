/**
 * Narrows sandboxes, newest first, to a page that begins with the one of `:pageId`, which has to be one of `:userId`
 * in `:orgId`. By hand because a page begins at a pair of columns, which TypeORM cannot compare.
 */
export declare const FROM_PAGE = "(sandbox.createdAt, sandbox.id) <= (SELECT created_at, id FROM sandboxes\n  WHERE id = :pageId AND created_by_user_id = :userId AND org_id = :orgId)";
