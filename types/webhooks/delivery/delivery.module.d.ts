/** The delivery of what is pending. */
export declare class DeliveryModule {
}
