/** A small network, and which one it is. */
export interface Subnet {
    readonly subnet: string;
    readonly gateway: string;
    readonly index: number;
}
/** The small networks that a large one is cut into: eight addresses each, the gateway's and one container's among them. */
export declare class Subnets {
    private readonly pool;
    /** @param cidr such as `10.213.0.0/16` */
    constructor(cidr: string);
    get count(): number;
    /**
     * One that overlaps with none of those taken; null when all do.
     * @param taken networks in CIDR notation; those of IPv6 are ignored
     * @param from where the search begins, so that several that search at once find different ones
     */
    free(taken: readonly string[], from: number): Subnet | null;
}
