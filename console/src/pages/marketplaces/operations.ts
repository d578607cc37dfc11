import { api, bodyOf, type Schemas } from '../../api/client';
import type { Organization } from '../../app/organization';

export type Registration = Schemas['MarketplaceRegistration'];

/** The registrations of somebody, and the version that they are. */
export type Registrations = Pick<Schemas['UserAppSettings'], 'registered_marketplaces' | 'updated_at'>;

/** The operations on somebody's registrations: of a user and of an organization there are the same ones. */
export interface RegistrationOperations {
  read(signal: AbortSignal): Promise<Registrations>;
  /** @param version of the registrations that were changed; it is refused if there is a newer one */
  save(registrations: Registration[], version: string | null): Promise<Registrations>;
}

/** Those of the person who is signed in. */
export function ofUser({ header }: Organization): RegistrationOperations {
  const params = { header };
  return {
    read: (signal) => bodyOf(api.GET('/api/users/app', { params, signal })),
    save: (registrations, version) =>
      bodyOf(api.POST('/api/users/app', { params, body: bodyFor(registrations, version) })),
  };
}

/** Those of the organization. */
export function ofOrganization({ header }: Organization): RegistrationOperations {
  const params = { header };
  return {
    read: (signal) => bodyOf(api.GET('/api/organizations/app', { params, signal })),
    save: (registrations, version) =>
      bodyOf(api.POST('/api/organizations/app', { params, body: bodyFor(registrations, version) })),
  };
}

/** What registrations would load. */
export function preview(
  { header }: Organization,
  registrations: readonly Registration[],
  signal: AbortSignal,
): Promise<Schemas['MarketplaceSkillsPreviewResponse']> {
  return bodyOf(
    api.POST('/api/v1/skills/marketplace-skills', { params: { header }, body: [...registrations], signal }),
  );
}

function bodyFor(registrations: Registration[], version: string | null): Schemas['UserAppSettingsUpdate'] {
  return { registered_marketplaces: registrations, last_known_updated_at: version };
}
