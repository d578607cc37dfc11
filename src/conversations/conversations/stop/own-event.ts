/** How ids of events begin that the service itself makes in the shape of an agent server's, which does not have them. */
export const OWN_EVENT = 'service-';
