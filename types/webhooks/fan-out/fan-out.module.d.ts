/** From what happened to what is to be delivered. */
export declare class FanOutModule {
}
