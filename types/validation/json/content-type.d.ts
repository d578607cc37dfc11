/**
 * Whether a body of this content type is read as JSON: `application/json` and `application/*+json`,
 * whatever their parameters; a request without a content type counts as JSON.
 */
export declare function isJsonContentType(contentType: string | undefined): boolean;
