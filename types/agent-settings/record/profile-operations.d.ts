import { type Type } from '@nestjs/common';
import { type ApiBodyOptions } from '@nestjs/swagger';
interface Described {
    readonly summary: string;
    readonly description: string;
}
/** Documents the operations on one kind of profiles, which differ from kind to kind in their descriptions only. */
export declare class ProfileOperations {
    private readonly ofUsers;
    private readonly notFound;
    /**
     * @param unknown says that there is no such profile
     * @param ofUsers whether they are users' profiles, which may apply to all organizations
     */
    constructor(unknown: string, ofUsers: boolean);
    /** Reading one. */
    get(operation: Described, type: Type): MethodDecorator;
    save(operation: Described, body: ApiBodyOptions): MethodDecorator;
    rename(operation: Described): MethodDecorator;
    activate(operation: Described): MethodDecorator;
    delete(operation: Described): MethodDecorator;
    private changeErrors;
}
export {};
