import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type Installation } from './app.module';
import { finishPausedParsers } from './kernel/common';
import {
  AnsweredRequests,
  respondToParserErrors,
  closePipelinedResponses,
  corsOptions,
  deferContinue,
  receiveUpgrades,
  servePublicDocuments,
  ServiceAdapter,
  ServiceLog,
  type Shortcut,
} from './kernel/http';
import { ModelGateway } from './outbound/model-gateway';
import { HttpDoor } from './sandboxes/sandbox-access';

/** Creates the application, the same for production, tests and `openapi.json`; it does not listen yet. */
export async function createApp(installation: Installation): Promise<NestExpressApplication> {
  finishPausedParsers();
  const { CORS_ORIGINS, KEEP_ALIVE_SECONDS, MODEL_GATEWAY, TRUSTED_HOPS } = installation.settings;
  const adapter = new ServiceAdapter({
    keepAliveSeconds: KEEP_ALIVE_SECONDS,
    trustedHops: TRUSTED_HOPS,
    tracedIds: { conversation_id: 'gen_ai.conversation.id' },
  });
  const app = await composed(installation, adapter);
  closePipelinedResponses(app.getHttpServer());
  deferContinue(app.getHttpServer());
  respondToParserErrors(app.getHttpServer());
  receiveUpgrades(app.getHttpServer());
  const { shortcut: door } = app.get(HttpDoor);
  const gateway: Shortcut = MODEL_GATEWAY === 'on' ? app.get(ModelGateway).shortcut : () => false;
  adapter.take((request, response, next) => {
    // Pages of other origins need the CORS headers of Express; agents are no pages.
    const isForeignPage = CORS_ORIGINS.includes(request.headers.origin ?? '');
    return gateway(request, response, next) || (!isForeignPage && door(request, response, next));
  });
  const answered = app.get(AnsweredRequests);
  adapter.observeBy((request, response) => answered.observe(request, response));
  app.useLogger(app.get(ServiceLog));
  app.set('query parser', false);
  app.set('trust proxy', TRUSTED_HOPS);
  if (CORS_ORIGINS.length > 0) app.enableCors(corsOptions(CORS_ORIGINS));
  servePublicDocuments(app);
  return app;
}

/** @throws StartError where an extension takes what is not its own, or fails */
async function composed(
  installation: Installation,
  adapter: ServiceAdapter,
): Promise<NestExpressApplication> {
  const { extensions } = installation;
  const options = {
    // The guards read the body, once the caller is authenticated.
    bodyParser: false,
    bufferLogs: true,
    abortOnError: false,
    // Nest would write to its own console why it fails, which the caller reports.
    autoFlushLogs: false,
  };
  const compose = async (): Promise<NestExpressApplication> => {
    const app = await NestFactory.create<NestExpressApplication>(
      AppModule.forRoot(installation),
      adapter,
      options,
    );
    // From here on the log is that of the service; once it listens, buffered lines are flushed to it.
    options.autoFlushLogs = true;
    return app;
  };
  if (extensions.origins.length === 0) return compose();
  const { composeWithExtensions } = await import('./operations/extensions/compose.ts');
  return composeWithExtensions(compose, extensions);
}
