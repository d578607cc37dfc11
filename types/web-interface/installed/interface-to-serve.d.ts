import { type Settings } from '../../config';
import { type InstalledInterface } from './installed-interface';
/**
 * The web interface to serve.
 * @returns null if none is installed, or `WEB_UI` is off
 * @throws StartError if it could not work at `PUBLIC_URL`
 */
export declare function interfaceToServe(settings: Settings, cache?: string): Promise<InstalledInterface | null>;
