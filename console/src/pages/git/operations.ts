import { api, bodyOf, type Schemas } from '../../api/client';
import type { Organization } from '../../app/organization';

export type Credential = Schemas['GitCredential'];

/** The operations on somebody's credentials: of a user and of an organization there are the same ones. */
export interface CredentialOperations {
  list(signal: AbortSignal): Promise<Schemas['GitCredentialList']>;
  create(body: Schemas['GitCredentialCreate']): Promise<Credential>;
  update(id: string, body: Schemas['GitCredentialUpdate']): Promise<Credential>;
  remove(id: string): Promise<unknown>;
}

/** Those of the person who is signed in. */
export function ofUser({ header }: Organization): CredentialOperations {
  const all = '/api/v1/git/credentials';
  const one = '/api/v1/git/credentials/{credential_id}';
  const paramsOf = (id: string) => ({ header, path: { credential_id: id } });
  return {
    list: (signal) => bodyOf(api.GET(all, { params: { header }, signal })),
    create: (body) => bodyOf(api.POST(all, { params: { header }, body })),
    update: (id, body) => bodyOf(api.PATCH(one, { params: paramsOf(id), body })),
    remove: (id) => bodyOf(api.DELETE(one, { params: paramsOf(id) })),
  };
}

/** Those of the organization. */
export function ofOrganization({ id: org_id }: Organization): CredentialOperations {
  const all = '/api/organizations/{org_id}/git-credentials';
  const one = '/api/organizations/{org_id}/git-credentials/{credential_id}';
  const paramsOf = (id: string) => ({ path: { org_id, credential_id: id } });
  return {
    list: (signal) => bodyOf(api.GET(all, { params: { path: { org_id } }, signal })),
    create: (body) => bodyOf(api.POST(all, { params: { path: { org_id } }, body })),
    update: (id, body) => bodyOf(api.PATCH(one, { params: paramsOf(id), body })),
    remove: (id) => bodyOf(api.DELETE(one, { params: paramsOf(id) })),
  };
}
