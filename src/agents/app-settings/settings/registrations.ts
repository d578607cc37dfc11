import { storableText } from '../../../kernel/common';
import type { MarketplaceRegistration, RegistrationScope } from '../../skills';
import type { StoredRegistration } from '../record/app-settings.entity';
import { DuplicateMarketplacesError } from './app-settings.errors';

/** A registration with its scope, which follows from where it is stored. */
export interface ScopedRegistration extends StoredRegistration {
  readonly scope: RegistrationScope;
}

/** Registrations as answered: each with the scope of its place. */
export function withScope(
  registrations: readonly StoredRegistration[],
  scope: RegistrationScope,
): ScopedRegistration[] {
  return registrations.map(({ name, source, ref, repo_path, auto_load }) => ({
    name,
    source,
    ref,
    repo_path,
    auto_load,
    scope,
  }));
}

/**
 * Registrations as stored: without the scope a request may carry (docs/contract.md#app-settings).
 * @throws DuplicateMarketplacesError
 */
export function toStore(registrations: readonly MarketplaceRegistration[]): StoredRegistration[] {
  const names = registrations.map(({ name }) => name);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  if (twice.size > 0) throw new DuplicateMarketplacesError([...twice]);
  return registrations.map(({ name, source, ref, repo_path, auto_load }) => ({
    name: storableText(name),
    source: storableText(source),
    ref: ref === null ? null : storableText(ref),
    repo_path: repo_path === null ? null : storableText(repo_path),
    auto_load,
  }));
}

/**
 * What a conversation gets: instance < organization < personal by name
 * (docs/contract.md#composition-of-marketplaces). An organization may override an instance entry; a personal
 * entry of an inherited name is left out.
 */
export function compose(
  instance: readonly StoredRegistration[],
  org: readonly StoredRegistration[],
  personal: readonly StoredRegistration[],
): ScopedRegistration[] {
  const byName = new Map<string, ScopedRegistration>();
  for (const registration of [...withScope(instance, 'instance'), ...withScope(org, 'org')])
    byName.set(registration.name, registration);
  for (const registration of withScope(personal, 'personal'))
    if (!byName.has(registration.name)) byName.set(registration.name, registration);
  return [...byName.values()];
}
