/**
 * How ids of events begin that the service itself makes in the shape of an agent server's, which does not have them. What an agent
 * server gives under such an id is stored under another.
 */
export const OWN_EVENT = 'service-';
