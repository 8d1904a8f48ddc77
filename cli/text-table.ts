// Formats rows as aligned columns, no wider than the terminal. If needed, the widest column that may be cut is cut.

import { printable, shortened, widthOf } from './terminal.ts'

interface Column {
  readonly title: string
  /** Right-aligned, for numbers. */
  readonly align?: 'left' | 'right'
  /** May be cut on a narrow terminal; ids and scores may not. */
  readonly mayCut?: boolean
}

const GAP = '  '
const LEAST_WIDTH = 6

/** One line for the titles and one per row; each begins with two spaces. */
export function textTable(columns: readonly Column[], rows: readonly (readonly string[])[], fit: number): string[] {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => row.map(printable))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))))
  narrow(columns, widths, fit)
  return cells.map((row) => {
    const line = columns.map(({ align }, at) => padded(row[at] ?? '', widths[at] ?? 0, align)).join(GAP)
    return `${GAP}${line}`.trimEnd()
  })
}

function narrow(columns: readonly Column[], widths: number[], fit: number): void {
  const total = () => widths.reduce((sum, width) => sum + width + GAP.length, 0)
  while (total() > fit) {
    let widest = -1
    columns.forEach(({ mayCut }, at) => {
      if (mayCut === true && (widths[at] ?? 0) > LEAST_WIDTH && (widths[at] ?? 0) > (widths[widest] ?? 0)) widest = at
    })
    if (widest < 0) return
    widths[widest] = (widths[widest] ?? 0) - 1
  }
}

function padded(text: string, width: number, align: Column['align']): string {
  const short = shortened(text, width)
  const space = ' '.repeat(Math.max(0, width - widthOf(short)))
  return align === 'right' ? space + short : short + space
}

/** Formats names and values, one pair per line, with aligned values. */
export function fieldLines(fields: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${GAP}${name.padEnd(width)}${GAP}${printable(value)}`)
}
