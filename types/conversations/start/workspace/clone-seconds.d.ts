/** How long fetching a repository may take. */
export declare const CLONE_SECONDS = 300;
