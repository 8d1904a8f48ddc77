// A Stryker ignorer that ignores nothing. It works around @babel/generator 7, by which Stryker prints instrumented
// code: it prints `(x as number)++` as `x as number++`, which does not parse. Ignorers are the only plugins that see
// the syntax tree.

import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** What it reads of Babel's path, whose type Stryker's API leaves empty. */
interface Path {
  readonly node?: { readonly type: string; argument?: { readonly type: string; readonly expression?: unknown } }
}

const keepParentheses = {
  shouldIgnore({ node }: Path): undefined {
    if (node?.type === 'UpdateExpression' && node.argument?.type === 'TSAsExpression')
      node.argument = { type: 'ParenthesizedExpression', expression: node.argument }
  },
}

/** Stryker finds plugins by this name. */
export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'keep-parentheses', keepParentheses)]
