/**
 * Node's environment, in which a file of code is compiled once for each worker rather than once for each test file
 * that loads it. Modules are still made anew for each test file: only what V8 made of their text is shared.
 */
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** By file and names of parameters: its text, and the script that evaluates to its function. */
const compiled = new Map();
const compileFunction = vm.compileFunction;

vm.compileFunction = (text, parameters = [], options = {}) => {
  const { filename, parsingContext } = options;
  if (filename === undefined || parsingContext === undefined || text.startsWith('#!'))
    return compileFunction(text, parameters, options);
  const names = parameters.join(',');
  const key = `${filename}(${names})`;
  let known = compiled.get(key);
  if (known?.text !== text) {
    const head = `(function (${names}) {`;
    known = { text, script: new vm.Script(`${head}${text}\n})`, { filename, columnOffset: -head.length }) };
    compiled.set(key, known);
  }
  return known.script.runInContext(parsingContext);
};

module.exports = TestEnvironment;
