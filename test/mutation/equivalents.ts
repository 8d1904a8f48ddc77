// Reads equivalent.md: mutants that survive because they change nothing that a caller can observe.

/** A mutant as a pair of code texts on one line, which unrelated changes of the file do not move. */
export interface CodeChange {
  readonly file: string
  readonly before: string
  readonly after: string
}

export const oneLine = (code: string): string => code.replace(/\s+/g, ' ').trim()

export const changeKey = ({ file, before, after }: CodeChange): string => [file, before, after].join('\n')

/** Every diff block of the list: `## <file>` names the file, a block has one `-` line and one `+` line. */
export function parseEquivalents(markdown: string): CodeChange[] {
  const changes: CodeChange[] = []
  let file = ''
  let before = ''
  for (const line of markdown.split('\n')) {
    if (line.startsWith('## ')) file = line.slice(3).trim()
    else if (line.startsWith('-   ')) before = oneLine(line.slice(1))
    else if (line.startsWith('+   ')) changes.push({ file, before, after: oneLine(line.slice(1)) })
  }
  return changes
}
