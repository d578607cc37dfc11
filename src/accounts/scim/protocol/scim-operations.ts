import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { map, type Observable } from 'rxjs';
import { DirectoryAccess } from '../../../kernel/auth';
import { responseOf } from '../../../kernel/common';
import type { Resource } from '../record/scim-user.entity';
import type { Projection } from './projection';
import { SCIM_JSON, ScimErrorFilter } from './scim-error.filter';

/** The path below which the protocol is spoken. */
export const SCIM_PATH = 'scim/v2';

/** A resource as it is answered: with the tag of its state, and where it is new, with its address. */
export class Answered {
  constructor(
    readonly body: Resource,
    readonly version: string,
    readonly location: string | null = null,
  ) {}

  /** As the answer to its creation. @param location its address */
  at(location: string): Answered {
    return new Answered(this.body, this.version, location);
  }
}

/** What is said of a change beside the change itself. */
export interface ChangeOptions {
  readonly projection: Projection;
  /** The state that is to be changed; undefined for any. */
  readonly ifMatch: string | undefined;
}

/** Gives responses the content type of the protocol, and those of resources their headers. */
@Injectable()
class ScimResponses implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = responseOf(context);
    response.type(SCIM_JSON);
    return next.handle().pipe(
      map((answer: unknown) => {
        if (!(answer instanceof Answered)) return answer;
        response.set('ETag', answer.version);
        if (answer.location !== null) response.set('Location', answer.location);
        return answer.body;
      }),
    );
  }
}

/**
 * Of controllers of the protocol: they are called with the token of a directory, and answer as the protocol has it. Its own
 * discovery documents describe them, and so the OpenAPI document does not.
 */
export function ScimOperations(): ClassDecorator {
  return applyDecorators(
    DirectoryAccess(),
    ApiExcludeController(),
    UseFilters(ScimErrorFilter),
    UseInterceptors(ScimResponses),
  );
}
