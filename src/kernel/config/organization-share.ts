import type { Settings } from './settings';

/** How many of those that a replica has one organization may take; at least one. */
export function organizationShare(total: number, settings: Settings): number {
  return Math.max(1, Math.floor((total * settings.ORGANIZATION_SHARE_PERCENT) / 100));
}
