import type { Policy } from './operations';

/** The roles that may be allowed fewer models than the organization. */
export const ROLES = ['member', 'admin', 'owner'] as const satisfies (keyof Policy['allowed_by_role'])[];
