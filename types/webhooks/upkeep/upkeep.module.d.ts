/** What is done about endpoints and deliveries in the background. */
export declare class UpkeepModule {
}
