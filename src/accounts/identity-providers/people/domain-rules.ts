import { domainToASCII } from 'node:url';
import { asIpAddress, storableText } from '../../../kernel/common';
import { MAX_DOMAIN } from '../record/limits';

const LABELS = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** A domain as DNS has it: lower case, without a dot at its end; what is none is left as it is. */
export function canonicalDomain(text: string): string {
  const domain = storableText(text).trim().toLowerCase().replace(/\.$/, '');
  return domainToASCII(domain) || domain;
}

/** Why a text is no domain of mail addresses, whoever's it is; null where it is one. */
export function domainProblem(text: string): string | null {
  const domain = canonicalDomain(text);
  const isDomain = domain.length <= MAX_DOMAIN && LABELS.test(domain) && asIpAddress(domain) === null;
  return isDomain ? null : 'must be a domain such as example.com';
}

/** Whether anybody may have names right below a domain, as below `co.uk` or that of a host of pages: it is nobody's own. */
export async function isPublicSuffix(domain: string): Promise<boolean> {
  // Loaded with the first domain: it has a long list.
  const { getPublicSuffix } = await import('tldts');
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}
