import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject } from '@nestjs/swagger';
/** The OpenAPI 3.1 document of the whole service, with the responses that all operations of a kind share. */
export declare function openApiDocument(app: INestApplication): OpenAPIObject;
