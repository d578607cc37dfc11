import { PageIds } from '../../../kernel/common';

/** Page ids of a user's sandboxes, newest first. */
export const SANDBOX_PAGES = PageIds.byTime('sandboxes');

/**
 * Narrows sandboxes, newest first, to a page that begins at a time `:at` and an id `:id`. By hand because a page begins at a
 * pair of columns, which TypeORM cannot compare.
 */
export const FROM_PAGE = '(sandbox.createdAt, sandbox.id) <= (:at, :id)';
