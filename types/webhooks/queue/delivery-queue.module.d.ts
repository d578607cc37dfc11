/** What is to be delivered, and who is told of it. */
export declare class DeliveryQueueModule {
}
