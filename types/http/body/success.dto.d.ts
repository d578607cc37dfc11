/** The response of an operation that has nothing more to say. */
export declare class Success {
    success: boolean;
}
