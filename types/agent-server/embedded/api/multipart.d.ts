/**
 * One field of a multipart/form-data body that is in memory as a whole.
 * @returns its bytes, or null when the body is something else or has no such field
 */
export declare function multipartField(body: Buffer, contentType: string, name: string): Buffer | null;
