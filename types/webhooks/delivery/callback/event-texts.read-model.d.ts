import { PreparedStatement } from '../../../database';
/**
 * The texts of agents' events (conversations $1, ids $2) of at most so many bytes ($3): the event of a callback is read when
 * it is sent, so that nothing of a deleted conversation is. By hand because several are read at once.
 */
export declare const EVENT_TEXTS: PreparedStatement<{
    readonly conversation_id: string;
    readonly id: string;
    readonly text: string;
}>;
