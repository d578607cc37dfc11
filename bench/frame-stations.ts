/**
 * What each station on the way of a request costs: processor time of the service for `GET /alive`, and for a `GET` with a key that
 * reads nothing, with all stations and without one (`frame/leave-out.cjs`), in turns, by processes that are equally old: an older
 * one has more of its code compiled. Needs the built service.
 *
 *   npm run bench -- frame-stations [--seconds 1] [--rounds 4] [--connections 16]
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { LoadProcess, type Way } from './frame/load-process';
import { type MeasuredService, MeasuredServices } from './measured-services';
import { options } from './options';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const given = options({ seconds: 1, rounds: 4, connections: 16 });
const WARM_UP_SECONDS = 2;
const PATHS = ['/alive', '/api/keys/current'];
const LEAVE_OUT = join(__dirname, 'frame', 'leave-out.cjs');

/** Requests are counted, and none is refused. */
const COUNTED = { ...UNLIMITED, READ_CALLS_PER_MINUTE: '10000000' };

class Stations {
  private readonly load = new LoadProcess();

  private constructor(private readonly services: MeasuredServices) {}

  static async open(): Promise<Stations> {
    return new Stations(await MeasuredServices.start());
  }

  /** Starts the service without a station, or with all. */
  without(station: string | null): Promise<MeasuredService> {
    return this.services.replica(station ?? 'whole', {
      ...COUNTED,
      NODE_OPTIONS: `--require ${LEAVE_OUT}`,
      LEFT_OUT: station ?? '',
    });
  }

  /** @returns microseconds of processor time for a request to each, the least of all rounds */
  async measure(services: readonly MeasuredService[], path: string): Promise<number[]> {
    const { key } = this.services;
    const ways: Way[] = services.map((service) => ({ ...service, path }));
    const { connections, seconds, rounds } = given;
    for (const way of ways) await this.load.turn(way, { key, connections, seconds: WARM_UP_SECONDS });
    const least = ways.map(() => Infinity);
    for (let n = 0; n < rounds; n++)
      for (const [i, way] of ways.entries()) {
        const { cpuMicroseconds } = await this.load.turn(way, { key, connections, seconds });
        least[i] = Math.min(least[i] ?? Infinity, cpuMicroseconds);
      }
    return least;
  }

  async end(service: MeasuredService): Promise<void> {
    await this.services.end(service);
  }

  async close(): Promise<void> {
    this.load.stop();
    await this.services.stop();
  }
}

async function main(): Promise<void> {
  const stations = await Stations.open();
  try {
    const results: Record<string, Record<string, number>> = {};
    const least: Record<string, number> = {};
    for (const name of z.array(z.string()).parse(createRequire(__filename)(LEAVE_OUT))) {
      const [whole, less] = [await stations.without(null), await stations.without(name)];
      for (const path of PATHS) {
        const [all = NaN, rest = NaN] = await stations.measure([whole, less], path);
        results[path] = { ...results[path], [name]: Math.round(all - rest) };
        least[path] = Math.min(least[path] ?? Infinity, Math.round(all));
      }
      for (const service of [whole, less]) await stations.end(service);
      process.stderr.write(`${name}\n`);
    }
    report('frame-stations', { ...given, cpuMicroseconds: least, ofWhich: results });
  } finally {
    await stations.close();
  }
}

void main();
