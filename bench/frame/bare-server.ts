/**
 * A server of one route that answers as `GET /alive` of the service does: the frame that a request passes at least, with Nest,
 * with Express and with Node alone. Its argument says which.
 */
import 'reflect-metadata';
import { createServer } from 'node:http';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express from 'express';
import { z } from 'zod';

const ANSWER = { status: 'ok' };
const PATH = '/alive';

@Controller()
class AliveController {
  @Get(PATH)
  alive(): typeof ANSWER {
    return ANSWER;
  }
}

@Module({ controllers: [AliveController] })
class AliveModule {}

const LISTENERS = {
  nest: async (port: number) => {
    const app = await NestFactory.create(AliveModule, { logger: false });
    await app.listen(port, '127.0.0.1');
  },
  express: (port: number) => {
    const app = express();
    app.get(PATH, (_request, response) => {
      response.json(ANSWER);
    });
    app.listen(port, '127.0.0.1');
  },
  http: (port: number) => {
    const server = createServer((_request, response) => {
      const text = JSON.stringify(ANSWER);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      response.end(text);
    });
    server.listen(port, '127.0.0.1');
  },
};

const [kind, port] = process.argv.slice(2);
void LISTENERS[z.enum(['nest', 'express', 'http']).parse(kind)](Number(port));
