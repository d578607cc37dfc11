import { Metrics } from '../http';
import { Mailer } from './mailer';
/** Metrics of the mails of this process. */
export declare class MailMetrics {
    constructor({ registry }: Metrics, { attempts }: Mailer);
}
