/** How it became known that a domain is an organization's. */
export const VERIFIED_BY = ['dns', 'operator'] as const;
