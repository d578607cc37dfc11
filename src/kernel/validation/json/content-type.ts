/**
 * Whether a body of this content type is read as JSON: `application/json` and `application/*+json`,
 * whatever their parameters; a request without a content type counts as JSON.
 */
export function isJsonContentType(contentType: string | undefined): boolean {
  if (contentType === undefined || contentType === '' || contentType === 'application/json') return true;
  const [type = ''] = contentType.split(';', 1);
  const parts = type.trim().toLowerCase().split('/');
  if (parts.length !== 2) return false;
  const [main, subtype = ''] = parts;
  return main === 'application' && (subtype === 'json' || subtype.endsWith('+json'));
}
