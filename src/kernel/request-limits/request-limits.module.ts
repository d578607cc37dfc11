import { Global, Module } from '@nestjs/common';
import { CountExchange } from './count-exchange';
import { RequestLimits } from './request-limits';

/** Limits of requests per key, user, sandbox and address. */
@Global()
@Module({ providers: [CountExchange, RequestLimits], exports: [RequestLimits] })
export class RequestLimitsModule {}
