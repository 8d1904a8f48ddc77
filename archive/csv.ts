// CSV as this program writes it, read back: records of cells, some quoted, with quotes doubled in them (RFC 4180).

export interface CsvRecords {
  /** The records that end in the next stretch of the text, which ends at the end of a line. */
  next(text: string): string[][]
  /** Whether none has begun and not ended. */
  isOver(): boolean
}

export function csvRecords(): CsvRecords {
  let begun = ''
  return {
    next(text) {
      const found: string[][] = []
      for (const line of linesOf(text)) {
        begun += line
        // Within quotes, the end of a line is none of the record's.
        if (hasOpenQuote(begun)) continue
        found.push(cellsOf(begun.endsWith('\n') ? begun.slice(0, -1) : begun))
        begun = ''
      }
      return found
    },
    isOver: () => begun === '',
  }
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function hasOpenQuote(text: string): boolean {
  let isOpen = false
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOpen = !isOpen
  return isOpen
}

function cellsOf(record: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= record.length; at++) {
    if (record[at] !== '"') {
      const comma = record.indexOf(',', at)
      const end = comma < 0 ? record.length : comma
      cells.push(record.slice(at, end))
      at = end
      continue
    }
    let end = record.indexOf('"', at + 1)
    while (record[end + 1] === '"') end = record.indexOf('"', end + 2)
    cells.push(record.slice(at + 1, end).replaceAll('""', '"'))
    at = end + 1
  }
  return cells
}
