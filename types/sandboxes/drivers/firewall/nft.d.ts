/** Runs a script of nftables. @throws Error with its first complaint */
export declare function nft(script: string): Promise<void>;
