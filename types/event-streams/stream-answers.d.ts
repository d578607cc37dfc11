/** What streams say of themselves in the OpenAPI document. @param example frames as they are sent */
export declare function ApiEventStream(description: string, example: string): MethodDecorator;
