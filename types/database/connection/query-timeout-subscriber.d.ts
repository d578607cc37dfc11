import { type AfterQueryEvent, type EntitySubscriberInterface } from 'typeorm';
/**
 * Closes a connection on which a query timed out. The driver abandons only the query: the connection would return
 * to the pool with that query ahead of every later one, until TCP notices after many minutes that the host is gone.
 */
export declare class QueryTimeoutSubscriber implements EntitySubscriberInterface {
    afterQuery({ error, queryRunner }: AfterQueryEvent): Promise<void>;
}
