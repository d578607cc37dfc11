/** Whether programs can be kept from gaining rights on this system. */
export declare function canWithholdRights(): Promise<boolean>;
/**
 * A command that runs another one with limits on its open files and processes, and without a way to rights that its
 * user does not have (docs/sandboxes.md#isolation).
 * @param path where programs are looked for
 * @throws DriverError when there is no such program
 */
export declare function restricted(command: readonly string[], path: string): Promise<string[]>;
