import type { SwaggerCustomOptions } from '@nestjs/swagger';
import { collapsedCallbacks } from './collapsed-callbacks';
import { localReferences } from './local-references';
import { operationNotes } from './operation-notes';
import { prefilledParameters } from './prefilled-parameters';

const STYLE = `
.swagger-ui .operation-notes { padding: 10px 20px; }
.swagger-ui .operation-notes p { margin: 4px 0; font-size: 14px; }
.swagger-ui .to-put-in { color: #7a4b00; font-size: 14px; }
.swagger-ui td.to-put-in { padding-bottom: 10px; }
`;

/** How Swagger UI is set up at `/docs`: the key is asked for once, and what names something of the caller's is filled in. */
export const SWAGGER_UI: SwaggerCustomOptions = {
  // The document has an address of its own.
  raw: false,
  customSiteTitle: 'Organization Conversation Service',
  customCss: STYLE,
  swaggerOptions: {
    persistAuthorization: true,
    displayRequestDuration: true,
    plugins: [localReferences, prefilledParameters, operationNotes, collapsedCallbacks],
  },
};
