/** Whether the web interface has a page at a path. */
export declare function isInterfacePath(path: string): boolean;
