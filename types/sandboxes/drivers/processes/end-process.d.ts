import type { Control } from './control-files';
/**
 * Ends the process of a sandbox, politely first, and then what it left behind.
 * @param control as recorded when it was started; null when it never was
 * @param termMs how long it may take to end by itself
 * @throws DriverError when it cannot be ended
 */
export declare function endProcess(control: Control | null, termMs?: number): Promise<void>;
