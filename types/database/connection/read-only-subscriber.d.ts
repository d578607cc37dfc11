import { type AfterQueryEvent, type EntitySubscriberInterface } from 'typeorm';
/** Closes a connection that turned out to be read-only, and the idle ones of its pool. */
export declare class ReadOnlySubscriber implements EntitySubscriberInterface {
    afterQuery({ error, queryRunner, dataSource }: AfterQueryEvent): Promise<void>;
}
