import { api, bodyOf, type Schemas } from '../../api/client';
import type { Organization } from '../../app/organization';

export type Policy = Schemas['ModelPolicyResponse'];
export type PolicyUpdate = Schemas['ModelPolicyUpdate'];
export type Price = Schemas['ModelPriceRecord'];
export type Refusal = Schemas['ModelRefusal'];

/** Which models the organization may use. */
export function policyOf({ id: org_id }: Organization, signal: AbortSignal): Promise<Policy> {
  return bodyOf(
    api.GET('/api/organizations/{org_id}/model-policy', { params: { path: { org_id } }, signal }),
  );
}

/** Replaces all of what was decided. */
export function setPolicy({ id: org_id }: Organization, body: PolicyUpdate): Promise<Policy> {
  return bodyOf(api.PUT('/api/organizations/{org_id}/model-policy', { params: { path: { org_id } }, body }));
}

/** What models cost. */
export function pricesOf(
  { id: org_id }: Organization,
  signal: AbortSignal,
): Promise<Schemas['ModelPriceList']> {
  return bodyOf(
    api.GET('/api/organizations/{org_id}/model-prices', { params: { path: { org_id } }, signal }),
  );
}

/** What was refused in the last day. */
export function refusalsOf(
  { id: org_id }: Organization,
  signal: AbortSignal,
): Promise<Schemas['ModelRefusalList']> {
  return bodyOf(
    api.GET('/api/organizations/{org_id}/model-refusals', { params: { path: { org_id } }, signal }),
  );
}
