import { api, bodyOf, type Schemas } from '../../api/client';
import type { Organization } from '../../app/organization';

export type Profile = Schemas['LlmProfileInfo'];
export type ProfileDetail = Schemas['LlmProfileDetail'];
export type Model = Schemas['LlmProfileModel'];
export type Connection = Schemas['ProviderConnection'];

/** The operations on somebody's model profiles: of a user and of an organization there are the same ones. */
export interface ProfileOperations {
  list(signal: AbortSignal): Promise<Schemas['LlmProfileList']>;
  read(name: string, signal: AbortSignal): Promise<ProfileDetail>;
  save(name: string, llm: Model): Promise<unknown>;
  rename(name: string, newName: string): Promise<unknown>;
  activate(name: string): Promise<unknown>;
  remove(name: string): Promise<unknown>;
}

/** Those of the person who is signed in. */
export function ofUser({ header }: Organization): ProfileOperations {
  const one = '/api/v1/settings/profiles/{name}';
  const paramsOf = (name: string) => ({ header, path: { name } });
  return {
    list: (signal) => bodyOf(api.GET('/api/v1/settings/profiles', { params: { header }, signal })),
    read: (name, signal) => bodyOf(api.GET(one, { params: paramsOf(name), signal })),
    save: (name, llm) => bodyOf(api.POST(one, { params: paramsOf(name), body: { llm } })),
    rename: (name, newName) =>
      bodyOf(api.POST(`${one}/rename`, { params: paramsOf(name), body: { new_name: newName } })),
    activate: (name) => bodyOf(api.POST(`${one}/activate`, { params: paramsOf(name) })),
    remove: (name) => bodyOf(api.DELETE(one, { params: paramsOf(name) })),
  };
}

/** Those of the organization. */
export function ofOrganization({ id: org_id }: Organization): ProfileOperations {
  const all = '/api/organizations/{org_id}/profiles';
  const one = '/api/organizations/{org_id}/profiles/{name}';
  const paramsOf = (name: string) => ({ path: { org_id, name } });
  return {
    list: (signal) => bodyOf(api.GET(all, { params: { path: { org_id } }, signal })),
    read: (name, signal) => bodyOf(api.GET(one, { params: paramsOf(name), signal })),
    save: (name, llm) => bodyOf(api.POST(one, { params: paramsOf(name), body: { llm } })),
    rename: (name, newName) =>
      bodyOf(api.POST(`${one}/rename`, { params: paramsOf(name), body: { new_name: newName } })),
    activate: (name) => bodyOf(api.POST(`${one}/activate`, { params: paramsOf(name) })),
    remove: (name) => bodyOf(api.DELETE(one, { params: paramsOf(name) })),
  };
}

/** Names of models that the person can choose, by a part of them. */
export async function modelsLike(
  { header }: Organization,
  query: string,
  signal: AbortSignal,
): Promise<string[]> {
  const page = await bodyOf(
    api.GET('/api/v1/config/models/search', { params: { header, query: { query, limit: 20 } }, signal }),
  );
  return page.items.map(({ provider, name }) => (provider === null ? name : `${provider}/${name}`));
}

/** Names of providers that are known, by a part of them. */
export async function providersLike(
  { header }: Organization,
  query: string,
  signal: AbortSignal,
): Promise<string[]> {
  const page = await bodyOf(
    api.GET('/api/v1/config/providers/search', { params: { header, query: { query, limit: 20 } }, signal }),
  );
  return page.items.map(({ name }) => name);
}

/** The connections of the organization to providers. */
export async function connectionsOf(
  { id }: Organization,
  signal: AbortSignal,
): Promise<readonly Connection[]> {
  const params = { path: { org_id: id } };
  const { connections } = await bodyOf(
    api.GET('/api/organizations/{org_id}/provider-connections', { params, signal }),
  );
  return connections;
}
