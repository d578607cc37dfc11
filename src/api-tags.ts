/** What the document says of the groups of operations, in the order they are shown. */
export const TAGS: Readonly<Record<string, string>> = {
  Conversations: 'Your conversations: start, read, change and delete them, and send follow-up messages.',
  'Queued messages': 'Messages for a conversation that cannot take them yet, delivered in order when it can.',
  Events: 'What happened in a conversation, as its agent server reported it.',
  'Organization conversations': 'All conversations of an organization, for those who look after it.',
  Sandboxes: 'Where conversations run.',
  Skills: 'What plugin marketplaces offer.',
  'Agent settings':
    'What agents run on: your settings, profiles of models and agents, and connections to providers.',
  Secrets: 'Your secrets, for the agents of your conversations.',
  Webhooks: 'Addresses of an organization that are called back when something happens.',
  // Apart from the operations on webhooks: generators of clients make one class of each tag.
  Callbacks: 'What the service calls webhooks with.',
  Git: 'Names and passwords with which git repositories are fetched and searched.',
  'App settings': 'Settings and marketplace registrations of an organization and of a user.',
  Organizations: 'Your organizations and their members.',
  'Sign-in providers': 'With whom people sign in to an organization, and which domains are its own.',
  'Service accounts': 'Users of an organization that are no people, for programs, and their keys.',
  'Personal data': 'What there is of a person: as an archive, erased, or held for a court.',
  Invitations: 'How people come into an organization.',
  Directories: 'Identity providers that tell who is in an organization, over SCIM.',
  'Audit log': 'Who did what in an organization.',
  Keys: 'Your API keys.',
  'Device login': 'How programs get a key of whoever approves it in their browser.',
  'Calls of agent servers': 'What agent servers call with the key of their sandbox; not for people.',
  'Calls of other services': 'What services beside this one call with a key of their own; not for people.',
  Operations: 'For those who run the service; they need no key.',
};
