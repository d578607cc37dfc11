import { DeclaredWebhooks } from '../../http';
/** Describes the callbacks in `webhooks` of the OpenAPI document, from the schema of the domain events. */
export declare class CallbackDocuments {
    constructor(declared: DeclaredWebhooks);
}
