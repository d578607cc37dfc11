/** What orchestrators, agents and Prometheus ask for all the time, and what tells nothing of anybody. */
const PROBES = new Set(['/alive', '/ready', '/health', '/metrics', '/server_info']);

/** Whether a request only asks how the service is. @param url as the request line has it */
export function isProbe(url: string | undefined): boolean {
  return PROBES.has(url?.split('?', 1)[0] ?? '');
}
