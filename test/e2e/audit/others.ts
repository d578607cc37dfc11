/** Operations that are no user's, that the document does not have, or that need somebody else, with a case in `others.spec.ts`. */
export const WITH_CASE = [
  'createScimUser',
  'replaceScimUser',
  'patchScimUser',
  'deleteScimUser',
  'createScimGroup',
  'replaceScimGroup',
  'patchScimGroup',
  'deleteScimGroup',
  'createServiceKey',
  'reportApiKey',
  'authorizeDevice',
  'submitDecision',
  'fetchDeviceToken',
  'submitSignIn',
  'submitSignOut',
  'useLink',
  'acceptInvitation',
  'receiveEvents',
  'receiveConversation',
] as const;

/** Those without one, each with the reason. */
const WITHOUT_CASE = {
  askForMail: 'needs a mail server; the proof that it stores is used by useLink as well',
  enterCode: 'the same with a code that was mailed',
  finish: 'needs a provider of identities',
  signOut: 'a provider of identities calls it, with a token of its own',
  submitInvitationPage: 'the page of acceptInvitation',
  submitSettings: 'the page of createApiKey and others',
};

export const OTHERS: readonly string[] = [...WITH_CASE, ...Object.keys(WITHOUT_CASE)];
