import { ForwardedOperations } from '../http';
/** Adds the door's operations to the OpenAPI document. */
export declare class DoorOperations {
    constructor(forwarded: ForwardedOperations);
}
