import type { Bootstrapped } from './api-keys';
import { type Settings } from './config';
import type { SandboxDriver } from './sandboxes';
/** What the banner says of a service. */
export interface BannerContent {
    readonly settings: Settings;
    /** The driver of new sandboxes. */
    readonly driver: Pick<SandboxDriver, 'name' | 'operatorNote'>;
    /** The web interface it serves, or null. */
    readonly webInterface: {
        readonly version: string;
    } | null;
    /** User, organization and key that the first start made; null at later starts. */
    readonly first: Bootstrapped | null;
}
/** The text shown on a terminal once the service is ready. */
export declare function banner({ settings, driver, webInterface, first }: BannerContent): string;
