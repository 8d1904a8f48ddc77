// Parses and formats byte sizes.

import { UsageFault } from './failure.ts'
import { formatInteger } from './progress.ts'

const UNITS = ['', 'K', 'M', 'G', 'T'] as const

/** `500`, `64K`, `1.5G` with units of 1,024. Throws UsageFault. */
export function bytesNumber(name: string, text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?)([KMGT]?)(?:i?B)?$/i.exec(text) ?? []
  const power = (UNITS as readonly string[]).indexOf(unit.toUpperCase())
  const value = Number(digits) * 1024 ** power
  if (digits !== '' && Number.isSafeInteger(value)) return value
  throw new UsageFault(
    `${name} must be a whole number, or a size such as 64K, 500M or 2G, not ${JSON.stringify(text)}.`,
  )
}

/** `1.5 MiB`; sizes below 1 KiB in bytes. */
export function bytesText(bytes: number): string {
  let power = 0
  let value = bytes
  for (; value >= 1024 && power < UNITS.length - 1; power++) value /= 1024
  if (power === 0) return `${formatInteger(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`
  const digits = value < 10 && !Number.isInteger(value) ? 1 : 0
  return `${value.toFixed(digits)} ${UNITS[power]}iB`
}
