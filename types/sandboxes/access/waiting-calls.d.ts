/**
 * Bounds how many clients wait for the responses of agent servers: one conversation that hangs takes neither the
 * connections of a server that others share, nor the memory of the service.
 */
export declare class WaitingCalls {
    private readonly ofConversation;
    private readonly ofSandbox;
    /**
     * Makes a call for a client, which waits meanwhile.
     * @throws TooManyWaitingCallsError when as many wait already; the call is not made then
     */
    run<Result>(sandboxId: string, conversationId: string, call: () => Promise<Result>): Promise<Result>;
}
