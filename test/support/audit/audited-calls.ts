import { randomUUID } from 'node:crypto';
import type { AuditFields } from '../../../src/kernel/domain-events';
import type { TestApp } from '../service/app';
import { auditRows, rowsOf } from '../service/audit-rows';
import { call, type CallOptions, type HttpResponse } from '../service/http';

/** Calls of a service, each of which leaves one row of the audit log. */
export class AuditedCalls {
  private readonly ids: string[] = [];

  constructor(private readonly app: () => Pick<TestApp, 'url' | 'db'>) {}

  /** Calls an operation. @returns the response, and its row */
  async call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<{ response: HttpResponse<Body>; row: AuditFields }> {
    const id = randomUUID();
    this.ids.push(id);
    const headers = { ...options.headers, 'X-Request-Id': id };
    const response = await call<Body>(this.app(), method, path, { ...options, headers });
    const [row, ...others] = await rowsOf(this.app().db, id);
    if (row === undefined || others.length > 0)
      throw new Error(`${method} ${path} has ${others.length + 1} rows.`);
    return { response, row };
  }

  /**
   * The calls that have another row by now.
   * @param last a call that leaves a row after the response: rows are written in the order of calls, so those before are all there
   */
  async withOthers(last: () => ReturnType<AuditedCalls['call']>): Promise<string[]> {
    await last();
    const rows = await Promise.all(this.ids.map((id) => auditRows(this.app().db, id)));
    return rows.filter(({ length }) => length !== 1).map(([row]) => row?.action ?? 'no row');
  }
}
