import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiOkResponse, ApiProduces } from '@nestjs/swagger';

/** What streams say of themselves in the OpenAPI document. @param example frames as they are sent */
export function ApiEventStream(description: string, example: string): MethodDecorator {
  const content = { 'text/event-stream': { schema: { type: 'string' }, example } };
  return applyDecorators(
    ApiProduces('text/event-stream'),
    ApiOkResponse({ description, content }),
    ApiExtension('x-stream', true),
  );
}
