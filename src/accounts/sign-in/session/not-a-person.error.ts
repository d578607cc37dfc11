import { appError } from '../../../kernel/common';

/** 403: the key is a service account's, which signs in in no browser (docs/roles.md#service-accounts). */
export const NotAPersonError = appError(
  403,
  'not_a_person',
  'This is the key of a service account, for programs: sign in with one of your own.',
);
