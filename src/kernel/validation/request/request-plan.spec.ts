import { Body, Controller, Headers, Param, Query } from '@nestjs/common';
import { MAX_ISSUES } from '../errors/cursor';
import { MAX_ECHO } from '../errors/validation.errors';
import {
  BodyList,
  boolean,
  dateTime,
  dictionary,
  Field,
  integer,
  list,
  model,
  number,
  RequestPlans,
  string,
  union,
  uuid,
  type CheckedRequest,
} from '..';
import { threadCpuMs } from '../../../../test/support/event-loop-stall';
import { timeBound } from '../../../../test/support/time-bound';

class Path {
  @Field(uuid()) id!: string;
}
class Search {
  @Field(integer()) page = 1;
  @Field(list(uuid()), { optional: true }) ids?: string[];
}
class Head {
  @Field(integer(), { optional: true }) x_size?: number;
}
class Leaf {
  @Field(string()) leaf!: string;
}
class Branch {
  @Field(
    list(
      union(
        () => Leaf,
        () => Branch,
      ),
    ),
  )
  parts!: (Leaf | Branch)[];
}
class Shape {
  @Field(boolean()) on = true;
  @Field(dateTime(), { nullable: true }) at: Date | null = null;
  @Field(list(integer())) numbers: number[] = [];
  @Field(number(), { optional: true }) amount?: number;
  @Field(dictionary(integer()), { optional: true }) counts?: Record<string, number>;
  @Field(dictionary()) rest: Record<string, unknown> = {};
  @Field(model(() => Branch), { optional: true }) tree?: Branch;
}

@Controller()
class Handlers {
  all(@Param() path: Path, @Query() query: Search, @Headers() head: Head, @Body() body: Shape): unknown {
    return { path, query, head, body };
  }
  many(@BodyList(Leaf, { min: 1, max: 2 }) body: Leaf[]): unknown {
    return body;
  }
  loose(@Body() body: unknown[]): unknown {
    return body;
  }
  none(): unknown {
    return null;
  }
  single(@Param('id') id: string): unknown {
    return id;
  }
}

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

function check(
  handler: string,
  body: string,
  parts: { id?: string; query?: string; size?: string } = {},
): CheckedRequest {
  const plan = RequestPlans.for(Handlers, handler);
  return plan.check({
    params: { id: parts.id ?? ID },
    rawQuery: parts.query ?? '',
    headers: { 'x-size': parts.size },
    body: plan.parseBody(Buffer.from(body), undefined),
  });
}

const places = ({ issues }: CheckedRequest): string[] =>
  issues.map(({ loc, type }) => `${loc.join('.')} ${type}`);

describe('a request', () => {
  it('arrives as instances of the declared classes, with defaults and typed values', () => {
    const { values, issues } = check('all', '{"on":"no","at":"2024-01-02","numbers":["1_0",2.0,true]}', {
      id: `{${ID.toUpperCase()}}`,
      query: `page=2&page=3&ids=${ID}&ids=${ID.replaceAll('-', '')}`,
      size: '7',
    });
    expect(issues).toEqual([]);
    expect(values.params).toBeInstanceOf(Path);
    expect(values.body).toBeInstanceOf(Shape);
    expect(values).toEqual({
      params: { id: ID },
      query: { page: 3, ids: [ID, ID] },
      headers: { x_size: 7 },
      body: { on: false, at: new Date('2024-01-02T00:00:00Z'), numbers: [10, 2, 1], rest: {} },
    });
  });

  it('has defaults of its own: what one handler changes, the next does not see', () => {
    const first = check('all', '{}').values.body;
    if (first instanceof Shape) first.numbers.push(1);
    expect(check('all', '{}').values.body).toMatchObject({ numbers: [] });
  });

  it('is refused with all its errors: path, query, header, body', () => {
    const checked = check('all', '{"on":2,"numbers":[1.5,"x"],"counts":{"b":"x","1":null}}', {
      id: 'x',
      query: 'page=x&ids=x',
      size: 'x',
    });
    expect(places(checked)).toEqual([
      'path.id uuid_parsing',
      'query.page int_parsing',
      'query.ids.0 uuid_parsing',
      'header.x-size int_parsing',
      'body.on bool_parsing',
      'body.numbers.0 int_from_float',
      'body.numbers.1 int_parsing',
      'body.counts.b int_parsing',
      'body.counts.1 int_type',
    ]);
  });

  it('may have numbers that only an exact reading accepts', () => {
    expect(places(check('all', `{"numbers":[1${'0'.repeat(400)}]}`))).toEqual([]);
    expect(places(check('all', `{"amount":1${'0'.repeat(400)}}`))).toEqual(['body.amount float_type']);
    expect(places(check('all', '{"amount":1e999}'))).toEqual(['body.amount finite_number']);
    expect(places(check('all', '{"numbers":[NaN]}'))).toEqual(['body.numbers.0 finite_number']);
    expect(check('all', '{"rest":{"a":1.0,"n":NaN}}').values.body).toMatchObject({ rest: { a: 1, n: NaN } });
    expect(check('all', '{"rest":{"__proto__":{"x":1}}}').values.body).toMatchObject({ rest: {} });
  });

  it('repeats numbers and keys in an error as they were sent', () => {
    const plan = RequestPlans.for(Handlers, 'all');
    const { issues } = check('all', '{"on":[{"b":1.0,"1":12345678901234567890123,"é":"\\ud83d\\ude00"}]}');
    expect(plan.error(issues).toJsonText()).toBe(
      '{"detail":[{"type":"bool_type","loc":["body","on"],"msg":"Input should be a valid boolean","input":[{"b":1.0,"1":12345678901234567890123,"é":"😀"}]}]}',
    );
  });

  it('may refer to its own class, as deep as JSON goes', () => {
    const deep = '{"parts":['.repeat(400) + '{"leaf":"x"}' + ']}'.repeat(400);
    expect(places(check('all', `{"tree":${deep}}`))).toEqual([]);
    const broken = check('all', `{"tree":${deep.replace('"x"', '1')}}`);
    expect(broken.issues.length).toBeGreaterThan(400);
    expect(broken.issues.length).toBeLessThanOrEqual(MAX_ISSUES);
  });

  it('can be a list, whose length is checked before its items', () => {
    expect(places(check('many', '[{"leaf":1},{}]'))).toEqual([
      'body.0.leaf string_type',
      'body.1.leaf missing',
    ]);
    expect(check('many', '[{},{},{}]').issues).toMatchObject([
      { type: 'too_long', msg: 'List should have at most 2 items after validation, not 3' },
    ]);
    expect(places(check('many', '[]'))).toEqual(['body too_short']);
    expect(places(check('loose', '{}'))).toEqual(['body list_type']);
    expect(check('loose', '[1,{"a":2}]').values.body).toEqual([1, { a: 2 }]);
    expect(places(check('many', ''))).toEqual(['body missing']);
    expect(places(check('many', 'null'))).toEqual(['body missing']);
  });
});

describe('the caps', () => {
  it('end the search for errors, and keep ten thousand of them cheap', () => {
    const started = threadCpuMs();
    const { issues } = check('all', `{"numbers":[${Array(10_000).fill('"x"').join()}],"on":7}`);
    expect(issues).toHaveLength(MAX_ISSUES);
    expect(threadCpuMs() - started).toBeLessThan(timeBound(500));
  });

  it('bound what is repeated of the request', () => {
    const plan = RequestPlans.for(Handlers, 'all');
    const large = `"${'x'.repeat(MAX_ECHO / 2)}"`;
    const { issues } = check('all', `{"on":${large},"at":[${large}],"numbers":{"a":1}}`);
    const text = plan.error(issues).toJsonText();
    expect(text.length).toBeLessThan(MAX_ECHO + 2000);
    const { detail } = Object(JSON.parse(text)) as { detail: { input: unknown }[] };
    expect(detail.map(({ input }) => input === null)).toEqual([false, true, true]);
  });
});

describe('the plan of a handler', () => {
  it('knows whether there is a body, and is compiled once', () => {
    expect(RequestPlans.for(Handlers, 'none').hasBody).toBe(false);
    expect(RequestPlans.for(Handlers, 'many').hasBody).toBe(true);
    expect(RequestPlans.for(Handlers, 'many')).toBe(RequestPlans.for(Handlers, 'many'));
  });

  it('refuses handlers that take single names instead of a class', () => {
    expect(() => RequestPlans.for(Handlers, 'single')).toThrow("takes the single value 'id'");
    expect(() => RequestPlans.for(Handlers, 'unknown')).toThrow('no handler unknown');
  });

  it('needs properties that can hold what their declarations yield', () => {
    class Wrong {
      // @ts-expect-error a number is no string
      @Field(integer())
      name!: string;
    }
    expect(new Wrong()).toEqual({});
  });
});
