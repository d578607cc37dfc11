/** Durable background jobs in the service's own database. */
export declare class JobsModule {
}
