/**
 * Loaded before the service, leaves out one station of the way of a request, without a switch in the service: what it does, or
 * what it finds out again for the same request. `LEFT_OUT` has its name; exports the names of all.
 */
require('reflect-metadata');
const { AsyncLocalStorage } = require('node:async_hooks');
const crypto = require('node:crypto');
const { join } = require('node:path');

const built = (file) => require(join(__dirname, '..', '..', 'dist', file));
const http = (file) => built(join('kernel', 'http', file));
const nothing = () => undefined;

/** A guard that does its work for the first request to a path, and then knows what it found out. */
function remembering({ prototype }) {
  const { requestIdentity, setIdentity } = built('kernel/auth');
  const { canActivate } = prototype;
  const known = new Map();
  prototype.canActivate = function (context) {
    const request = context.switchToHttp().getRequest();
    const identity = known.get(request.url);
    if (identity !== undefined) {
      setIdentity(request, identity);
      return true;
    }
    return Promise.resolve(canActivate.call(this, context)).then((isLet) => {
      known.set(request.url, requestIdentity(request));
      return isLet;
    });
  };
}

const STATIONS = {
  'request id': () => (crypto.randomUUID = () => 'left-out'),
  'context of log lines': () => (AsyncLocalStorage.prototype.run = (_store, work) => work()),
  'log line': () => (http('observability/service-log').ServiceLog.prototype.answered = nothing),
  metrics: () => (http('observability/metrics').Metrics.prototype.answered = nothing),
  'headers for browsers': () => (http('request/security-headers').SECURITY_HEADERS.length = 0),
  'choice of routes': () => {
    const { prototype } = http('adapter/route-selection').RouteSelection;
    const { of } = prototype;
    const known = new Map();
    prototype.of = function (url) {
      const router = known.get(url) ?? of.call(this, url);
      known.set(url, router);
      return router;
    };
  },
  authentication: () => remembering(http('guards/authentication.guard').AuthenticationGuard),
  limits: () => (http('guards/request-limit.guard').RequestLimitGuard.prototype.canActivate = () => true),
  organization: () => remembering(http('guards/organization.guard').OrganizationGuard),
  validation: () =>
    (http('guards/request-validation.guard').RequestValidationGuard.prototype.canActivate = () => true),
  'text, type and tag of the response': () => {
    const { prototype } = http('adapter/service-adapter').ServiceAdapter;
    prototype.reply = (response) => response.end('{"status":"ok"}');
  },
};

STATIONS[process.env.LEFT_OUT]?.();

module.exports = Object.keys(STATIONS);
