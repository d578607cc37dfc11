import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      ...['**/dist', 'types', 'node_modules', '.data', '.cache', 'coverage', '**/*.cjs', '**/*.mjs'],
      // Their tests compile them, with what is generated there.
      'test/clients/*/',
      // A package of its own, which test:package builds against the packed service.
      'examples/enterprise-extension',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // Nest resolves injected classes from values at run time, so an `import type` on them breaks injection.
      '@typescript-eslint/consistent-type-imports': 'off',
      // Nest types its option objects as classes.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Costs most of all rules, and there are no enums but in tests of them.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // Modules and other decorated classes have no members of their own.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Constructors receive what they inject; other functions take five parameters at most, handlers of
      // operations one for each part of the request.
      '@typescript-eslint/max-params': ['error', { max: 7 }],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':not(MethodDefinition[kind="constructor"]) > :function[params.length>5], TSEmptyBodyFunctionExpression[params.length>5]',
          message: 'A function takes at most five parameters; pass an object.',
        },
      ],
      // A switch over the kinds of a union counts once: it is a table.
      complexity: ['error', { max: 15, variant: 'modified' }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/**/*.spec.ts'],
    rules: { 'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['test/**/*.ts', 'src/**/*.spec.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
