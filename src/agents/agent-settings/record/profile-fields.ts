import { string } from '../../../kernel/validation';
import { MAX_PROFILE_NAME } from './text-limits';

/** Profiles of each kind per owner. */
export const MAX_PROFILES = 100;

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._()-]*$/u;

/** The name of a profile; it is part of paths. */
export const profileName = () => string({ trim: true, maxLength: MAX_PROFILE_NAME, rule: nameProblem });

function nameProblem(name: string): string | null {
  return NAME.test(name)
    ? null
    : 'a name begins with a letter or digit, and has letters, digits, spaces and ._()- only';
}
