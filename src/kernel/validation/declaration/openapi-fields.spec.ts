import { Body, Controller, Get, Module, Param, Post, Query } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ApiOkResponse, DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import {
  anything,
  BodyList,
  boolean,
  commaList,
  dateTime,
  dictionary,
  Field,
  integer,
  list,
  literal,
  model,
  number,
  oneOf,
  referencedModels,
  string,
  union,
  uuid,
} from '..';

class Cat {
  @Field(literal('cat'))
  kind = 'cat';
}
class Dog {
  @Field(boolean(), { description: 'Barks.', example: true })
  loud = false;
}
class Owner {
  @Field(string(), { nullable: true })
  name!: string | null;
}
class House {
  @Field(
    list(
      union(
        () => Cat,
        () => Dog,
      ),
      { min: 1 },
    ),
  )
  pets!: (Cat | Dog)[];
  @Field(model(() => Owner), { nullable: true, description: 'Whose.' })
  owner: Owner | null = null;
  @Field(model(() => Owner), { description: 'Second.' })
  other!: Owner;
  @Field(number({ gt: 0 }), { nullable: true, optional: true })
  price?: number | null;
  @Field(dateTime(), { optional: true })
  built?: Date;
  @Field(dictionary(list(string())))
  rooms!: Record<string, string[]>;
  @Field(anything())
  rest!: unknown;
}
class HousePath {
  @Field(uuid(), { description: 'Which.' })
  id!: string;
}
class HouseQuery {
  @Field(integer({ ge: 1, le: 100 }), { description: 'Size of a page.' })
  per_page = 20;
  @Field(commaList(oneOf(['new', 'old'])), { optional: true })
  age?: ('new' | 'old')[];
  @Field(uuid(), { nullable: true })
  owner: string | null = null;
}
class HouseAnswer {
  @Field(dateTime(), { nullable: true })
  built_at!: string | null;
}

@Controller('houses')
class Houses {
  @Post(':id')
  @ApiOkResponse({ type: HouseAnswer })
  change(@Param() path: HousePath, @Body() body: House): unknown {
    return { path, body };
  }
  @Get()
  list(@Query() query: HouseQuery): unknown {
    return query;
  }
  @Post()
  many(@BodyList(Owner, { max: 20 }) owners: Owner[]): unknown {
    return owners;
  }
}
@Module({ controllers: [Houses] })
class HousesModule {}

describe('the OpenAPI document', () => {
  let document: OpenAPIObject;
  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [HousesModule] }).compile();
    const app = testing.createNestApplication();
    document = SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion('3.1.0').build(), {
      extraModels: referencedModels(),
    });
    await app.close();
  });

  it('describes a body by the declarations of its class', () => {
    expect(document.components?.schemas?.House).toEqual({
      type: 'object',
      properties: {
        pets: {
          type: 'array',
          items: { anyOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] },
          minItems: 1,
        },
        owner: {
          anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }],
          default: null,
          description: 'Whose.',
        },
        other: { anyOf: [{ $ref: '#/components/schemas/Owner' }], description: 'Second.' },
        price: { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { type: 'null' }] },
        built: { type: 'string', format: 'date-time' },
        rooms: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
        rest: { anyOf: [{}] },
      },
      required: ['pets', 'other', 'rooms', 'rest'],
    });
    expect(document.components?.schemas?.Cat).toEqual({
      type: 'object',
      properties: { kind: { type: 'string', enum: ['cat'], default: 'cat' } },
    });
    expect(document.components?.schemas?.Dog).toEqual({
      type: 'object',
      properties: { loud: { type: 'boolean', default: false, description: 'Barks.', example: true } },
    });
  });

  it('describes a response by the same declarations', () => {
    expect(document.components?.schemas?.HouseAnswer).toEqual({
      type: 'object',
      properties: { built_at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] } },
      required: ['built_at'],
    });
  });

  it('lists the fields of path and query classes as parameters', () => {
    expect(document.paths['/houses/{id}']?.post?.parameters).toEqual([
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'Which.',
        schema: { type: 'string', format: 'uuid' },
      },
    ]);
    expect(document.paths['/houses']?.get?.parameters).toEqual([
      {
        name: 'per_page',
        in: 'query',
        required: false,
        description: 'Size of a page.',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      {
        name: 'age',
        in: 'query',
        required: false,
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: 'string', enum: ['new', 'old'] } },
      },
      {
        name: 'owner',
        in: 'query',
        required: false,
        schema: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }], default: null },
      },
    ]);
    expect(document.components?.schemas).not.toHaveProperty('HouseQuery');
  });

  it('describes a body that is a list', () => {
    expect(document.paths['/houses']?.post?.requestBody).toEqual({
      required: true,
      content: {
        'application/json': {
          schema: { type: 'array', items: { $ref: '#/components/schemas/Owner' }, maxItems: 20 },
        },
      },
    });
  });
});
