import { api, bodyOf, type Schemas } from '../../api/client';
import type { Organization } from '../../app/organization';
import type { View } from './view';

/** As many users, models, repositories or tags are told apart; the rest is one sum. */
const MOST = 100;

/** What was used of what is looked at. */
export function usageOf(
  { id: org_id, header }: Organization,
  { whose, group, from, to }: View,
  signal: AbortSignal,
): Promise<Schemas['OrgUsage']> {
  const query = { from, to, limit: MOST };
  if (whose === 'own' && group !== 'user')
    return bodyOf(
      api.GET('/api/users/me/usage', { params: { header, query: { ...query, group_by: group } }, signal }),
    );
  const params = { path: { org_id }, query: { ...query, group_by: group } };
  return bodyOf(api.GET('/api/organizations/{org_id}/usage', { params, signal }));
}

/** The operation `exportOrgUsage`: the same as a file. */
export function exportPath({ id }: Organization, { group, from, to }: View): string {
  const query = new URLSearchParams({ group_by: group, from, to });
  return `/api/organizations/${id}/usage/export?${query.toString()}`;
}
