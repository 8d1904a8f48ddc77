// Formats the examples below a command's help.

import type { Command } from 'commander'

/** Examples below a command's help. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  npx scorebook ${line}`).join('\n')}`)
}
