import { Field, string } from '../../../kernel/validation';
import { profileName } from './profile-fields';

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
