/** Why a text is no JSON: what is wrong, and where. */
export declare class JsonFault extends Error {
    readonly reason: string;
    readonly position: number;
    /**
     * @param reason text for `ctx.error`
     * @param position in code points from the start of the text
     */
    constructor(reason: string, position: number);
}
/** The text may be JSON, and is not read: it nests too deep, or has an integer of too many digits. */
export declare class JsonLimitFault extends Error {
}
