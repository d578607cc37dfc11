import { Field, string, uuid } from '../../../kernel/validation';
import { profileName } from './profile-fields';

/** The profiles of an organization. */
export class OrgProfilesPath {
  @Field(uuid(), { description: 'The organization.', example: '7c9e6679-7425-40de-944b-e07fc1f90ae7' })
  org_id!: string;
}

/** Body of renaming a profile. */
export class ProfileRename {
  @Field(profileName(), { description: 'Its name from now on.', example: 'Thorough' })
  new_name!: string;
}

/** The response to a change. */
export class ProfileChanged {
  @Field(string(), { description: 'Name of the profile.', example: 'Fast' })
  name!: string;

  @Field(string(), { description: 'One sentence for people.', example: 'The profile was saved.' })
  message!: string;
}
