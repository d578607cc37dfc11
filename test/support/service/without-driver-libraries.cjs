/** Required before a service: an installation without the optional packages of the drivers of sandboxes, and of telemetry. */
const Module = require('node:module');

const MISSING = ['dockerode', '@kubernetes/client-node', '@opentelemetry/sdk-trace-node'];
const { _resolveFilename: resolveFilename } = Module;

Module._resolveFilename = function (request, ...rest) {
  if (MISSING.includes(request))
    throw Object.assign(new Error(`Cannot find module '${request}'`), { code: 'MODULE_NOT_FOUND' });
  return resolveFilename.call(this, request, ...rest);
};
