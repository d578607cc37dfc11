/**
 * Required before a service: prints at its end how many modules of OpenTelemetry it has loaded. Its API alone does not count:
 * prom-client loads that.
 */
process.on('exit', () => {
  const loaded = Object.keys(require.cache).filter((path) => /@opentelemetry\/(?!api\/)/.test(path));
  process.stderr.write(`Loaded of OpenTelemetry: ${loaded.length}\n`);
});
