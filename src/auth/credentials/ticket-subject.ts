import { parseUuid } from '../../common';

/**
 * What a ticket is for.
 * @param parameter the path parameter that names it
 * @param params those of a request's path; ids count in all of their spellings
 */
export function ticketSubject(
  parameter: string,
  params: Readonly<Record<string, string | string[] | undefined>>,
): string {
  const value = params[parameter];
  const id = typeof value === 'string' ? parseUuid(value) : null;
  return `${parameter} ${id ?? ''}`;
}
