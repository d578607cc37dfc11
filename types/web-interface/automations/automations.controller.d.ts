/**
 * What the web interface asks on each page about automations, which the service does not have. An answer that says so
 * keeps failed requests out of every page.
 */
export declare class AutomationsController {
    getHealth(): {
        status: string;
    };
    getSdkVersion(): {
        sdk_version: null;
    };
}
