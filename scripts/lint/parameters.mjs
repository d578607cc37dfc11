/** A plugin of the linter with the one rule of ours: `max-params` knows no difference between constructors and other functions. */

const MOST = 5;

/** Constructors receive what they inject; other functions take five parameters at most, handlers of operations one for each part of the request. */
const parameters = {
  meta: { type: 'suggestion' },
  create(context) {
    const check = (node) => {
      if (node.params.length <= MOST) return;
      if (node.parent.type === 'MethodDefinition' && node.parent.kind === 'constructor') return;
      context.report({ node, message: 'A function takes at most five parameters; pass an object.' });
    };
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
      TSEmptyBodyFunctionExpression: check,
    };
  },
};

export default { meta: { name: 'house' }, rules: { parameters } };
