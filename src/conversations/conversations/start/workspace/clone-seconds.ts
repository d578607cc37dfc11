/** How long fetching a repository may take. */
export const CLONE_SECONDS = 300;
