/**
 * Ends the sandbox that most likely keeps ports from the others: the one with the most files open, since sockets that
 * are bound and do not listen are in no list. Its next health check finds it ended.
 * @param users those of the sandboxes
 * @returns whether there was one
 */
export declare function endHoarder(users: Iterable<number>): Promise<boolean>;
/**
 * Whether this host can still make connections: a port for outgoing ones that somebody is bound to, at whatever address,
 * is nobody else's.
 */
export declare function canConnect(): Promise<boolean>;
