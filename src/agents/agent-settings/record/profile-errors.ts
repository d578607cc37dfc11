import { appError } from '../../../kernel/common';
import { MAX_PROFILES } from './text-limits';

/** 404: there is no such profile, or it is another user's or organization's (docs/contract.md#profiles). */
export const ProfileNotFoundError = appError(404, 'profile_not_found', 'There is no profile of this name.');

/** 409: a profile of this name exists already. */
export const ProfileExistsError = appError(409, 'profile_exists', 'There is a profile of this name already.');

/** 409: the limit of profiles per owner is reached. */
export const TooManyProfilesError = appError(
  409,
  'too_many_profiles',
  `There are ${MAX_PROFILES} profiles, which is the most there may be.`,
);

/** 403: a key bound to one organization may not change what applies to all of its user's. */
export const ProfileOfAllOrganizationsError = appError(
  403,
  'profile_of_all_organizations',
  'This profile holds in all of your organizations; a key that is bound to one cannot change it.',
);
