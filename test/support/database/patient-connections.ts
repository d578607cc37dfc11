import { Pool } from 'pg';
import { timeBound } from '../time-bound';

/** How long each pool waits for a connection by its own settings. */
const own = new WeakMap<Pool, number>();
const { connect } = Pool.prototype;

/** A connection takes as many times longer on a machine that is busy with tests; what a service waits is right for it. */
Object.defineProperty(Pool.prototype, 'connect', {
  value(this: Pool, ...args: unknown[]): unknown {
    const waitMs = own.get(this) ?? this.options.connectionTimeoutMillis ?? 0;
    own.set(this, waitMs);
    this.options.connectionTimeoutMillis = timeBound(waitMs);
    return Reflect.apply(connect, this, args);
  },
});
