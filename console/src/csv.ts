// Tables as CSV files (RFC 4180), safe to open in a spreadsheet.

type Cell = string | number | null

/** A spreadsheet takes a text that begins like this for a formula. */
const FORMULA = /^[=+\-@\t\r]/
const DECIMAL = /^-?\d+(\.\d+)?$/

function cell(value: Cell): string {
  if (value === null) return ''
  const text = String(value)
  const safe = FORMULA.test(text) && !DECIMAL.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\r\n`

/** Lets the browser save a text as a file. */
export function saveFile(name: string, parts: readonly string[], type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A file name of a title: what every system accepts. */
export const fileName = (title: string, ending: string): string =>
  `${
    title
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60)
      .toLowerCase() || 'scorebook'
  }.${ending}`
