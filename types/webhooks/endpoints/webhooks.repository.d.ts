import { type EntityManager, Repository } from 'typeorm';
import { Webhook } from '../record/webhook.entity';
/** What of a webhook its organization says. */
export type WebhookFields = Pick<Webhook, 'url' | 'description' | 'kinds' | 'conversationIds' | 'tags'>;
/** Webhooks of organizations. */
export declare class WebhooksRepository {
    private readonly webhooks;
    constructor(webhooks: Repository<Webhook>);
    /** Serializes what may change how many webhooks an organization has. */
    lock(transaction: EntityManager, orgId: string): Promise<void>;
    count(transaction: EntityManager, orgId: string): Promise<number>;
    /** By id. @param from the first id of the page; null for the first page */
    page(orgId: string, from: string | null, limit: number): Promise<Webhook[]>;
    /**
     * @param text the id as the request has it
     * @throws WebhookNotFoundError
     */
    get(orgId: string, text: string): Promise<Webhook>;
    /** As {@link get}, locked until the transaction ends; deliveries can be added to it meanwhile. */
    getLocked(transaction: EntityManager, orgId: string, text: string): Promise<Webhook>;
    /** Runs a change of one webhook, which is locked meanwhile. @throws WebhookNotFoundError */
    change<T>(orgId: string, text: string, work: (transaction: EntityManager, webhook: Webhook) => Promise<T>): Promise<T>;
    insert(transaction: EntityManager, webhook: WebhookFields & Pick<Webhook, 'id' | 'orgId' | 'sealedSecret' | 'createdByUserId'>): Promise<void>;
    update(transaction: EntityManager, id: string, changes: Partial<Webhook>): Promise<void>;
    delete(transaction: EntityManager, id: string): Promise<void>;
}
