import { ApiResponse } from '@nestjs/swagger';

/**
 * Declares in the OpenAPI document which operations can be called next with values from the 200 of this one.
 * @param links ids of those operations, with the value of each parameter they require: a runtime expression
 *   (https://spec.openapis.org/oas/v3.1.0#runtime-expressions) where the response or its request has it
 */
export function ApiLinks(links: Readonly<Record<string, Readonly<Record<string, string>>>>): MethodDecorator {
  return ApiResponse({
    status: 200,
    links: Object.fromEntries(
      Object.entries(links).map(([operationId, parameters]) => [
        operationId,
        { operationId, parameters: { ...parameters } },
      ]),
    ),
  });
}
