import { Field, string } from '../../../kernel/validation';
import { MAX_PROFILE_NAME } from './text-limits';

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._()-]*$/u;

/** The name of a profile; it is part of paths. */
export const profileName = () => string({ trim: true, maxLength: MAX_PROFILE_NAME, rule: nameProblem });

function nameProblem(name: string): string | null {
  return NAME.test(name)
    ? null
    : 'a name begins with a letter or digit, and has letters, digits, spaces and ._()- only';
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
