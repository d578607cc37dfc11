import { DataSource } from 'typeorm';
import { JobHandlers } from '../../jobs';
import { WebhookDisabling } from '../queue/webhook-disabling';
/** Deletes deliveries that ended long ago, and disables endpoints that fall ever further behind. */
export declare class WebhookCleanUp {
    private readonly database;
    private readonly disabling;
    constructor(database: DataSource, disabling: WebhookDisabling, handlers: JobHandlers);
    /** Runs every minute on one replica. */
    cleanUp(): Promise<void>;
}
