/**
 * Says, in the document and where Swagger UI tries an operation out, what a caller has to put in: for operations
 * that no example can make succeed.
 */
export declare function ToPutIn(what: string): MethodDecorator;
