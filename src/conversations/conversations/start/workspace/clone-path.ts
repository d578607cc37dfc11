/** Where sandboxes fetch repositories through the service. */
export const CLONE_PATH = 'api/v1/git/clone';
