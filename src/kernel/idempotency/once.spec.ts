import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Query, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { of } from 'rxjs';
import { isRecord } from '../common';
import { doneOnce, isDoneOnce, setOnce } from './once';

class Notes {
  private readonly prefix = 'note ';

  @SetMetadata('above', 1)
  @doneOnce()
  @SetMetadata('below', 2)
  add(@Query() text: string): unknown {
    return of(this.prefix + text);
  }
}

/** What the parameter behind those of the handler is for a request. */
function behind(request: IncomingMessage): unknown {
  const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, Notes, 'add');
  const all = isRecord(parameters) ? Object.values(parameters).filter(isRecord) : [];
  const { factory, index } = all.find((parameter) => typeof parameter.factory === 'function') ?? {};
  expect(index).toBe(1);
  const context = { getArgByIndex: () => request };
  return typeof factory === 'function' ? Reflect.apply(factory, undefined, [undefined, context]) : undefined;
}

describe('a handler whose work is done once', () => {
  const handler = Reflect.get(Notes.prototype, 'add');

  it('has the name and the metadata of the method, whichever side of it they were given', () => {
    expect(handler.name).toBe('add');
    expect(['above', 'below'].map((key) => Reflect.getMetadata(key, handler) as unknown)).toEqual([1, 2]);
    expect([handler, () => undefined].map(isDoneOnce)).toEqual([true, false]);
  });

  it('does it as ever for a request for which nothing is set', () => {
    const made = behind(new IncomingMessage(new Socket()));
    expect(made).toBeUndefined();
    expect(Reflect.apply(handler, new Notes(), ['a', made])).toHaveProperty('subscribe');
  });

  it('does it as is set for the request, with the value of an observable', async () => {
    const request = new IncomingMessage(new Socket());
    setOnce(request, async (work) => [await work(), 'once']);
    expect(await Reflect.apply(handler, new Notes(), ['a', behind(request)])).toEqual(['note a', 'once']);
    setOnce(request, () => Promise.resolve('answered before'));
    expect(await Reflect.apply(handler, new Notes(), ['a', behind(request)])).toBe('answered before');
  });
});
