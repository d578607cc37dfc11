/** The interface reports sign-ins here. Nothing of it is read or stored. */
export declare class AnalyticsController {
    dropEvent(): void;
}
