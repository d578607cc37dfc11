/**
 * One field of a multipart/form-data body that is in memory as a whole.
 * @returns its bytes, or null when the body is something else or has no such field
 */
export function multipartField(body: Buffer, contentType: string, name: string): Buffer | null {
  const boundary = /^multipart\/form-data;.*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const text = boundary?.[1] ?? boundary?.[2];
  if (text === undefined) return null;
  const delimiter = Buffer.from(`\r\n--${text}`);
  // The first delimiter has no line before it.
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  let start = whole.indexOf(delimiter);
  while (start !== -1) {
    const head = start + delimiter.length;
    const end = whole.indexOf(delimiter, head);
    const blank = whole.indexOf('\r\n\r\n', head);
    if (end === -1 || blank === -1) return null;
    const headers = whole.subarray(head, blank).toString('utf8');
    if (blank < end && headers.includes(`; name="${name}"`)) return whole.subarray(blank + 4, end);
    start = end;
  }
  return null;
}
