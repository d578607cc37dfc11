import type { Settings } from '../../config';
/**
 * Ends the sandboxes that took the port of the API while the service was away, at any address: with them it could not
 * start, or whoever asks for `localhost` might come to them.
 */
export declare function freeApiPort(settings: Settings, log: {
    warn(message: string): void;
}): Promise<void>;
