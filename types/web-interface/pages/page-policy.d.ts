import { type Settings } from '../../config';
/**
 * The Content-Security-Policy of the web interface: it may connect to the service and to sandboxes only.
 * @param scriptSources of the inline scripts
 * @param pageHost the `Host` of the request: the page looks for this machine's agent servers there
 */
export declare function pagePolicy(scriptSources: readonly string[], settings: Settings, pageHost: string | undefined): string;
