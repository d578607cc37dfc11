import { readUuid } from '../../validation';

/**
 * What a ticket is for.
 * @param parameter the path parameter that names it
 * @param value of the parameter; an id counts in all of its spellings
 */
export function ticketSubject(parameter: string, value: string | readonly string[] | undefined): string {
  return `${parameter} ${(typeof value === 'string' ? readUuid(value) : null) ?? ''}`;
}
