import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { modelCheck } from '../checks/compile';
import { Cursor, INVALID } from '../errors/cursor';
import type { Model } from './field-types';
import { Field, string } from '..';

enum Colour {
  Red = 'red',
  Blue = 'blue',
}
class Leaf {
  @IsString()
  name!: string;
}
class Tree {
  @IsString()
  @MinLength(2)
  @MaxLength(3)
  code!: string;

  @IsInt()
  @Min(1)
  @Max(9)
  rings = 1;

  @IsNumber()
  @IsOptional()
  height?: number | null;

  @IsBoolean()
  evergreen = false;

  @IsIn(['oak', 'fir'])
  kind = 'oak';

  @IsEnum(Colour)
  colour = Colour.Red;

  @IsUUID()
  @IsOptional()
  id?: string;

  @IsEmail()
  @IsOptional()
  owner?: string;

  @ValidateNested()
  @Type(() => Leaf)
  @IsOptional()
  leaf?: Leaf;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => Leaf)
  leaves = [new Leaf()];

  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  tags: string[] = [];

  @Matches(/^[a-z]+$/, { message: 'only $constraint1 will do for $property' })
  word = 'a';

  @Field(string())
  @ValidateBy({
    name: 'even',
    validator: {
      validate: (value) => String(value).length % 2 === 0,
      defaultMessage: () => '$property is odd',
    },
  })
  even = 'ab';
}

function issues(model: Model, value: unknown): unknown[] {
  const at = new Cursor(false, false);
  modelCheck(model)(value, at);
  return at.issues.map(({ type, loc, msg, ctx }) => [type, loc.join('.'), msg, ...(ctx ? [ctx] : [])]);
}

describe('the decorators of class-validator', () => {
  it('accept what fits, and give an instance with its defaults', () => {
    const tree = modelCheck(Tree)({ code: 'ab', leaf: { name: 'x' }, height: null }, new Cursor(true, false));
    expect(tree).toBeInstanceOf(Tree);
    expect(tree).toMatchObject({ code: 'ab', rings: 1, height: null, tags: [], colour: 'red' });
    expect(Reflect.get(Object(tree), 'leaf')).toBeInstanceOf(Leaf);
  });

  it('report errors in the words of our own declarations', () => {
    expect(
      issues(Tree, {
        code: 'a',
        rings: 10,
        height: 'x',
        evergreen: 'perhaps',
        kind: 'elm',
        colour: 'green',
        id: 1,
        owner: 'a',
        leaf: {},
        leaves: [{}, { name: 1 }],
        tags: ['a', '', 1],
        word: 'A',
        even: 'abc',
      }),
    ).toEqual([
      ['string_too_short', 'code', 'String should have at least 2 characters', { min_length: 2 }],
      ['less_than_equal', 'rings', 'Input should be less than or equal to 9', { le: 9 }],
      ['float_parsing', 'height', 'Input should be a valid number, unable to parse string as a number'],
      ['bool_parsing', 'evergreen', 'Input should be a valid boolean, unable to interpret input'],
      ['enum', 'kind', "Input should be 'oak' or 'fir'", { expected: "'oak' or 'fir'" }],
      ['enum', 'colour', "Input should be 'red' or 'blue'", { expected: "'red' or 'blue'" }],
      ['uuid_type', 'id', 'UUID input should be a string, bytes or UUID object'],
      [
        'value_error',
        'owner',
        'value is not a valid email address: An email address must have an @-sign.',
        { reason: 'An email address must have an @-sign.' },
      ],
      ['missing', 'leaf.name', 'Field required'],
      ['missing', 'leaves.0.name', 'Field required'],
      ['string_type', 'leaves.1.name', 'Input should be a valid string'],
      ['value_error', 'tags.1', 'Value error, each value in tags should not be empty', { error: {} }],
      ['string_type', 'tags.2', 'Input should be a valid string'],
      ['value_error', 'word', 'Value error, only /^[a-z]+$/ will do for word', { error: {} }],
      ['value_error', 'even', 'Value error, even is odd', { error: {} }],
    ]);
    expect(issues(Tree, { code: 'abcd', leaves: [] })).toEqual([
      ['string_too_long', 'code', 'String should have at most 3 characters', { max_length: 3 }],
      [
        'too_short',
        'leaves',
        'List should have at least 1 item after validation, not 0',
        { field_type: 'List', min_length: 1, actual_length: 0 },
      ],
    ]);
    expect(modelCheck(Tree)({ code: 'abc' }, new Cursor(true, false))).not.toBe(INVALID);
  });

  const noInteger = 'Input should be a valid integer, unable to parse string as an integer';

  it('are inherited, and come before those of the subclass', () => {
    class Base {
      @IsString()
      first!: string;
      @IsString()
      second!: string;
    }
    class Derived extends Base {
      @IsInt()
      third!: number;
      @IsInt()
      declare second: never;
    }
    expect(issues(Derived, { first: 1, second: 'x', third: 'x' })).toEqual([
      ['string_type', 'first', 'Input should be a valid string'],
      ['int_parsing', 'second', noInteger],
      ['int_parsing', 'third', noInteger],
    ]);
  });

  it('refuse at once what cannot be checked', () => {
    class Untyped {
      @ValidateNested()
      part!: object;
    }
    expect(() => modelCheck(Untyped)({ part: {} }, new Cursor(true, false))).toThrow('needs @Type');
  });
});
