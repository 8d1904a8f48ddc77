// Parses the Dockerfile into stages of instructions with arguments.

import { read } from './compose-file.ts'

interface Instruction {
  readonly name: string
  /** Everything after the name, joined to one line. */
  readonly text: string
  /** Leading flags `--name=value`. */
  readonly flags: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

/** The stages in order; each begins with its FROM. */
export function stages(): Instruction[][] {
  const lines = read('Dockerfile')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const found: Instruction[][] = []
  for (const line of lines) {
    const [, name = '', text = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
    if (name === '') throw new Error(`the Dockerfile has a line that is not an instruction: ${line}`)
    const words = text.split(/ +/)
    const flags = words
      .filter((word) => word.startsWith('--'))
      .map((word) => word.slice(2).split('=') as [string, string])
    const instruction = {
      name,
      text,
      flags: Object.fromEntries(flags),
      words: words.filter((word) => !word.startsWith('--')),
    }
    if (name === 'FROM') found.push([])
    found.at(-1)?.push(instruction)
  }
  return found
}

export const lastStage = (): Instruction[] => stages().at(-1) ?? []

/**
 * The arguments of an instruction in exec form. Throws for the shell form, which would start a shell instead of Node.
 */
export function execOf({ name, text }: Instruction): string[] {
  const list = /\[.*\]$/.exec(text)?.[0]
  if (list === undefined) throw new Error(`${name} is not in exec form: ${text}`)
  return JSON.parse(list) as string[]
}
