/**
 * Loaded before the service, leaves out one station of the way of a request, without a switch in the service: a middleware, by the
 * name of its function or class, or a guard of all routes, by the name of its class. `LEFT_OUT` has the name, if any; the file
 * `STATIONS` gets the names of all there are.
 */
const { writeFileSync } = require('node:fs');
const { ApplicationConfig, NestApplication } = require('@nestjs/core');
const { MiddlewareBuilder } = require('@nestjs/core/middleware/builder');

const { LEFT_OUT, STATIONS = '' } = process.env;
const stations = new Set();

let unnamed = 0;

/** @param {string} given those without a name are told apart by their order */
function stays(given) {
  const name = given === '' ? `unnamed ${++unnamed}` : given;
  stations.add(name);
  writeFileSync(STATIONS, JSON.stringify([...stations]));
  return name !== LEFT_OUT;
}

const { addGlobalGuard } = ApplicationConfig.prototype;
ApplicationConfig.prototype.addGlobalGuard = function (guard) {
  if (stays(guard.constructor.name)) addGlobalGuard.call(this, guard);
};

const { use } = NestApplication.prototype;
NestApplication.prototype.use = function (...args) {
  return stays(args.at(-1).name) ? use.apply(this, args) : this;
};

const { apply } = MiddlewareBuilder.prototype;
MiddlewareBuilder.prototype.apply = function (...middleware) {
  return apply.apply(
    this,
    middleware.flat().filter(({ name }) => stays(name)),
  );
};
