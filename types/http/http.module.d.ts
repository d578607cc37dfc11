/** What every request passes through: authentication, limits, organization, validation; and how errors are answered. */
export declare class HttpModule {
}
