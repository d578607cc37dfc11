/** `{conversation_id}` as agent servers write it. */
export declare class InboundPath {
    conversation_id: string;
}
/** The response to an agent server. */
export declare class InboundAnswer {
    success: boolean;
}
