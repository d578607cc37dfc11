/**
 * A plugin of Swagger UI: parameters that name something of the caller's get the id of the latest one when an
 * operation is tried out, or say how to come by one. It runs in the browser, from its source text: it uses nothing
 * of this file, and asks with the key that was given to "Authorize".
 */
export declare function prefilledParameters(): object;
