import { ApiExtension } from '@nestjs/swagger';

/**
 * Says, in the document and where Swagger UI tries an operation out, what a caller has to put in: for operations
 * that no example can make succeed.
 */
export function ToPutIn(what: string): MethodDecorator {
  return ApiExtension('x-to-put-in', what);
}
