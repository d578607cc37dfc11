import type { Filter } from 'scim2-parse-filter';
import type { Libraries } from '../protocol/libraries';
import { ScimError } from '../record/scim.errors';
import { attributePath } from '../schema/attribute-path';
import { type Attribute, attributeNamed, type ResourceKind } from '../schema/attributes';
import { readBoolean } from '../schema/read-resource';
import { parseFilter } from './parse-filter';

const MAX_FILTER = 2_000;
const MAX_COMPARISONS = 50;

/** A value that is compared, as SQL: a text without regard to case or with it, a truth value, or a time. */
interface Term {
  readonly sql: string;
  readonly type: 'text' | 'exact' | 'boolean' | 'time';
}

/** Several values of an attribute: what they are read from, up to a condition, and what is read of each. */
interface Several {
  readonly from: string;
  readonly attribute: Attribute;
  readonly term: (sub: Attribute) => Term;
}

/** What is a column, or comes of another table: terms by paths in small letters, and lists by the names of attributes. */
export interface OwnColumns {
  readonly terms: Readonly<Record<string, Term>>;
  readonly lists: Readonly<Record<string, Pick<Several, 'from'> & { readonly value: string }>>;
}

type Comparison = Extract<Filter, { compValue: unknown }>;

/**
 * A filter as a condition on `s`, the row of a resource. By hand: what a directory may ask for is the protocol's, and what it
 * means depends on the schema. Values are parameters; names are those of the schemas alone.
 */
export class FilterCondition {
  private comparisons = 0;

  /** @param parameters of the statement, to which the values are added */
  constructor(
    private readonly kind: ResourceKind,
    private readonly columns: OwnColumns,
    private readonly parameters: unknown[],
  ) {}

  /**
   * The condition of a filter.
   * @throws ScimError for what is no filter, or asks for what no schema has
   */
  of(text: string, libraries: Pick<Libraries, 'parse'>): string {
    if (text.length > MAX_FILTER) throw invalid(`it has more than ${MAX_FILTER} characters`);
    let filter: Filter;
    try {
      filter = parseFilter(text, libraries);
    } catch {
      throw invalid('it cannot be read');
    }
    return this.condition(filter, (path) => this.resolve(path));
  }

  private condition(filter: Filter, resolve: (path: string) => Term | Several): string {
    if (filter.op === 'not') return `NOT coalesce(${this.condition(filter.filter, resolve)}, false)`;
    if ('filters' in filter)
      return `(${filter.filters.map((part) => this.condition(part, resolve)).join(` ${filter.op} `)})`;
    this.comparisons++;
    if (this.comparisons > MAX_COMPARISONS) throw invalid(`it has more than ${MAX_COMPARISONS} comparisons`);
    const found = resolve(filter.attrPath);
    if (filter.op === '[]') {
      if (!('from' in found)) throw invalid(`${filter.attrPath} has no several values`);
      return this.anyOf(found, filter.valFilter);
    }
    if (!('from' in found)) return filter.op === 'pr' ? present(found) : this.compared(found, filter);
    const [, sub = 'value'] = withoutUri(this.kind, filter.attrPath).split('.');
    return this.anyOf(found, { ...filter, attrPath: sub });
  }

  /** That any of several values fits. */
  private anyOf({ from, attribute, term }: Several, filter: Filter): string {
    const condition = this.condition(filter, (name) => {
      const sub = attributeNamed(attribute.subAttributes, name);
      if (sub === undefined) throw invalid(`${attribute.name} has no ${name}`);
      return term(sub);
    });
    return `EXISTS (SELECT FROM ${from} AND (${condition}))`;
  }

  private resolve(path: string): Term | Several {
    const name = withoutUri(this.kind, path).toLowerCase();
    const own = Object.hasOwn(this.columns.terms, name) ? this.columns.terms[name] : undefined;
    if (own !== undefined) return own;
    const known = attributePath(this.kind, path);
    if (known === null || known === undefined || known.filter !== null) throw invalid(`there is no ${path}`);
    const { extension, attribute, sub } = known;
    const resource = extension === null ? 's.resource' : `s.resource->'${extension}'`;
    if (attribute.multiValued) return this.several(resource, attribute);
    if (attribute.type !== 'complex') return termOf(`(${resource}->>'${attribute.name}')`, attribute);
    const of = sub ?? attributeNamed(attribute.subAttributes, 'value');
    if (of === undefined) throw invalid(`${attribute.name} is compared by its parts only`);
    return termOf(`(${resource}->'${attribute.name}'->>'${of.name}')`, of);
  }

  private several(resource: string, attribute: Attribute): Several {
    const own = this.columns.lists[attribute.name];
    if (own === undefined)
      return {
        from: `jsonb_array_elements(${resource}->'${attribute.name}') AS e (item) WHERE true`,
        attribute,
        term: (sub) => termOf(`(e.item->>'${sub.name}')`, sub),
      };
    return {
      from: own.from,
      attribute,
      term: ({ name }) => {
        if (name !== 'value') throw invalid(`${attribute.name} are compared by their value only`);
        return { sql: own.value, type: 'exact' };
      },
    };
  }

  private compared(term: Term, { op, compValue }: Comparison): string {
    if (compValue === null) {
      if (op !== 'eq' && op !== 'ne') throw invalid(`${op} null says nothing`);
      return op === 'ne' ? present(term) : `NOT ${present(term)}`;
    }
    if (op === 'ne')
      return `NOT coalesce(${this.compared(term, { op: 'eq', attrPath: '', compValue })}, false)`;
    if (term.type === 'boolean') {
      if (op !== 'eq') throw invalid(`truth values are compared by eq and ne`);
      return `${term.sql} = ${this.parameter(readBoolean({ name: 'The value' }, compValue), 'boolean')}`;
    }
    if (term.type === 'time') return this.comparedTime(term, op, String(compValue));
    const [sql, value] = term.type === 'exact' ? [term.sql, '?'] : [`lower(${term.sql})`, 'lower(?)'];
    const wanted = value.replace(
      '?',
      this.parameter(String(compValue).replaceAll('\u0000', '\uFFFD'), 'text'),
    );
    if (op === 'co') return `position(${wanted} in ${sql}) > 0`;
    if (op === 'sw') return `starts_with(${sql}, ${wanted})`;
    if (op === 'ew') return `right(${sql}, char_length(${wanted})) = ${wanted}`;
    return op === 'eq' ? `${sql} = ${wanted}` : `${sql} COLLATE "C" ${SIGNS[op]} ${wanted} COLLATE "C"`;
  }

  private comparedTime(term: Term, op: Comparison['op'], text: string): string {
    const time = new Date(text);
    if (Number.isNaN(time.getTime())) throw invalid(`${text.slice(0, 100)} is no time`);
    if (op === 'co' || op === 'sw' || op === 'ew' || op === 'ne')
      throw invalid(`times are not compared by ${op}`);
    return `${term.sql} ${op === 'eq' ? '=' : SIGNS[op]} ${this.parameter(time, 'timestamptz')}`;
  }

  private parameter(value: unknown, type: string): string {
    return `$${this.parameters.push(value)}::${type}`;
  }
}

const SIGNS = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function termOf(sql: string, { type, caseExact }: Attribute): Term {
  if (type === 'boolean') return { sql: `${sql}::boolean`, type: 'boolean' };
  return { sql, type: caseExact ? 'exact' : 'text' };
}

function present({ sql, type }: Term): string {
  return type === 'text' || type === 'exact' ? `coalesce(${sql} <> '', false)` : `(${sql} IS NOT NULL)`;
}

function withoutUri({ schema }: ResourceKind, path: string): string {
  const start = `${schema.id}:`;
  return path.toLowerCase().startsWith(start.toLowerCase()) ? path.slice(start.length) : path;
}

function invalid(why: string): ScimError {
  return new ScimError(400, 'invalidFilter', `The filter is not valid: ${why}.`);
}
