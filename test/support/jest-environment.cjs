/**
 * Node's environment, in which tests run as the service does: in the realm of Node itself. In a context of `vm` every
 * look at a global (`Promise`, `Buffer`) is the call of an interceptor, and an error of Node is no `Error`.
 * What a test file changes of the global object and the process is undone at its end. What it leaves in the system fails it.
 * What it prints, and what services in its process log, is shown if it fails; with `--verbose` at once.
 */
const { flushCompileCache } = require('node:module');
const { join, relative, sep } = require('node:path');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Stands for the realm of Node where jest asks for a context. */
const REALM = {};

/** By file and names of parameters: its text, and the script that evaluates to its function. */
const compiled = new Map();
const compileFunction = vm.compileFunction;

/** A file of code is compiled once for each worker rather than once for each test file that loads it. */
vm.compileFunction = (text, parameters = [], { parsingContext, ...options } = {}) => {
  if (parsingContext !== REALM) return compileFunction(text, parameters, { parsingContext, ...options });
  const { filename } = options;
  if (filename === undefined || text.startsWith('#!')) return compileFunction(text, parameters, options);
  const names = parameters.join(',');
  const key = `${filename}(${names})`;
  let known = compiled.get(key);
  if (known?.text !== text) {
    const head = `(function (${names}) {`;
    known = { text, script: new vm.Script(`${head}${text}\n})`, { filename, columnOffset: -head.length }) };
    compiled.set(key, known);
  }
  return known.script.runInThisContext();
};

/**
 * @param isKept whether a property stays that is added from now on
 * @returns what puts the properties of an object back as they are now
 */
function keepProperties(object, isKept) {
  const before = Object.getOwnPropertyDescriptors(object);
  return () => {
    for (const key of Reflect.ownKeys(object))
      if (!Object.hasOwn(before, key) && !isKept(key)) Reflect.deleteProperty(object, key);
    for (const key of Reflect.ownKeys(before)) {
      const now = Object.getOwnPropertyDescriptor(object, key);
      const { value, get } = before[key];
      if (now?.value !== value || now?.get !== get) Reflect.defineProperty(object, key, before[key]);
    }
  };
}

/** @returns what puts the process back as it is now */
function keepProcess() {
  const { env, exit } = process;
  const undoEnv = keepProperties(env, () => false);
  const listeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
  return () => {
    process.exit = exit;
    // A copy in its place would not be the environment that Node itself reads TMPDIR from.
    process.env = env;
    undoEnv();
    for (const name of process.eventNames())
      for (const listener of process.rawListeners(name))
        if (listeners.get(name)?.includes(listener) !== true) process.off(name, listener);
  };
}

/** Keeps what is printed from now on. @returns what ends that, and shows it where `isShown` says so */
function keepOutput() {
  const printed = [];
  const undo = [process.stdout, process.stderr].map((stream) => {
    const { write } = stream;
    stream.write = (text, encoding, done = encoding) => {
      printed.push(() => write.call(stream, text));
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
    return () => (stream.write = write);
  });
  return (isShown) => {
    for (const one of undo.splice(0)) one();
    for (const show of printed.splice(0)) if (isShown()) show();
  };
}

/** Has the sources loaded anew, without what other test files made known to them: `{"sources": "fresh"}`. */
function forgetSources() {
  const sources = join(process.env.TEST_COMPILED_SOURCES, 'src') + sep;
  for (const path of Object.keys(require.cache))
    if (path.startsWith(sources)) Reflect.deleteProperty(require.cache, path);
}

module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    if (config.projectConfig.testEnvironmentOptions.sources === 'fresh') forgetSources();
    const support = join(process.env.TEST_COMPILED_SOURCES, 'test', 'support');
    require(join(support, 'database', 'patient-connections'));
    // Packages, which are loaded once for each worker, keep what they know under names; jest does under symbols.
    this.undo = [keepProperties(globalThis, (key) => typeof key === 'string'), keepProcess()];
    if (config.globalConfig.verbose !== true) {
      const endOutput = keepOutput();
      const show = () => endOutput(() => !this.hasPassed);
      process.once('exit', show);
      this.undo.push(show);
    }
    const { WorkerFolder } = require(join(support, 'run', 'worker-folder'));
    this.folder = WorkerFolder.open(process.env.TMPDIR, process.env.JEST_WORKER_ID);
    this.testFile = relative(config.globalConfig.rootDir, context.testPath);
    this.global = globalThis;
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new this.fakeTimersModern.constructor({
      config: config.projectConfig,
      global: globalThis,
    });
  }

  /** Called by jest-circus: after the hooks of a test file, fails it for what they left. */
  async handleTestEvent(event, state) {
    if (event.name === 'test_done') this.hasFailed ||= event.test.errors.length > 0;
    if (event.name === 'hook_failure') this.hasFailed = true;
    if (event.name !== 'run_finish') return;
    this.fakeTimersModern.useRealTimers();
    const left = await this.folder.clean();
    if (left.length > 0) {
      const error = new Error();
      error.stack = [`${this.testFile} left behind:`, ...left].join('\n  ');
      state.unhandledErrors.push(error);
    }
    this.hasPassed = !this.hasFailed && state.unhandledErrors.length === 0;
    // By jest itself, which shows it of files that pass, too.
    if (this.hasPassed) globalThis.console.getBuffer()?.splice(0);
  }

  async teardown() {
    await super.teardown();
    for (const undo of this.undo) undo();
    // Jest may end a worker by a signal, at which Node keeps nothing. Before 22.10 it cannot be asked to.
    flushCompileCache?.();
  }

  getVmContext() {
    return REALM;
  }
};
